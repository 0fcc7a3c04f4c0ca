import { echoed } from './text.ts';

/** Every `error.code` of docs/command-line/exit-codes.md with its exit code; codes are only ever added. */
export const EXIT_CODES = {
  internal: 1,
  write_failed: 1,
  usage: 2,
  invalid_amount: 2,
  invalid_address: 2,
  memo_required: 2,
  invalid_memo: 2,
  network_required: 2,
  unknown_coin: 2,
  unknown_network: 2,
  insecure_url: 2,
  invalid_config: 2,
  not_found: 3,
  no_credentials: 4,
  invalid_public_key: 4,
  invalid_payload: 4,
  invalid_signature: 4,
  amount_below_min: 5,
  amount_above_max: 5,
  invalid_withdrawal_address: 5,
  validation_failed: 5,
  rejected: 5,
  network_error: 6,
  timeout: 6,
  rate_limited: 6,
  service_error: 6,
  bad_response: 6,
  outcome_unknown: 7,
  still_open: 8,
  attention: 8,
  swap_failed: 9,
  differs: 9,
  declined: 10,
  storage_failed: 11,
  policy_refused: 12,
  approval_required: 12,
  stopped: 12,
  interrupted: 130,
} as const;

/** A fixed error code, as in `error.code`. */
export type ErrorCode = keyof typeof EXIT_CODES;

/** The known effect of a request: `done` means that it took effect although the command failed. */
export type Outcome = 'nothing-sent' | 'refused' | 'unknown' | 'done';

/** A command to run next: arguments that need no shell, can be run as they are, and change nothing without asking. */
export interface Action {
  readonly command: readonly ['swapctl', ...string[]];
  readonly why: string;
}

export interface ErrorInit {
  /** Next step, as a command where there is one. */
  readonly hint?: string | null | undefined;
  /** Status of the answer, where one was received. */
  readonly httpStatus?: number | null | undefined;
  readonly retryable?: boolean;
  readonly outcome?: Outcome;
  readonly details?: Readonly<Record<string, unknown>> | null | undefined;
  /** Default: those that its code and details call for. */
  readonly actions?: readonly Action[];
}

/** The keys of an error in JSON output. */
export type ErrorJson = Pick<
  SwapctlError,
  'code' | 'message' | 'hint' | 'httpStatus' | 'retryable' | 'outcome' | 'exitCode' | 'details' | 'actions'
>;

const BRAND = Symbol.for('swapctl.error');

/** An error that a person can act on; `main` turns it into a message and an exit code. */
export class SwapctlError extends Error {
  override readonly name: string = 'SwapctlError';
  readonly code: ErrorCode;
  readonly hint: string | null;
  readonly httpStatus: number | null;
  readonly retryable: boolean;
  readonly outcome: Outcome;
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly actions: readonly Action[];

  constructor(code: ErrorCode, message: string, init: ErrorInit = {}) {
    super(message);
    this.code = code;
    this.hint = init.hint ?? null;
    this.httpStatus = init.httpStatus ?? null;
    this.retryable = init.retryable ?? false;
    this.outcome = init.outcome ?? 'nothing-sent';
    this.details = init.details ?? null;
    this.actions = init.actions ?? actionsFor(code, this.details ?? {});
  }

  protected get [BRAND](): true {
    return true;
  }

  /** Exit code of the process that this error ends. */
  get exitCode(): number {
    return EXIT_CODES[this.code];
  }

  /** The error as `--json` shows it, keys in the order of docs/command-line/output.md#json. */
  toJSON(): ErrorJson {
    const { code, message, hint, httpStatus, retryable, outcome, exitCode, details, actions } = this;
    return { code, message, hint, httpStatus, retryable, outcome, exitCode, details, actions };
  }
}

/** An error of the library's CommonJS files is an instance of the class in its modules too, and the other way round. */
Object.defineProperty(SwapctlError, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    if (this !== SwapctlError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && BRAND in value;
  },
});

/** Flags that choose the profile of a run. */
export interface ProfileFlags {
  readonly profile?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

/** An error as a line of `--json`, with next commands for the profile of this run. */
export function errorJson(error: SwapctlError, { profile, sandbox }: ProfileFlags): ErrorJson {
  const profiles = profile === undefined ? [] : ['-p', profile];
  const flags = [...profiles, ...(sandbox === true ? ['--sandbox'] : [])];
  // A name that a message must not repeat cannot be a profile name either.
  const isRepeatable = profile === undefined || echoed(profile) === profile;
  const actions = (isRepeatable ? error.actions : []).map(
    ({ command, why }): Action => ({ command: [...command, ...flags], why }),
  );
  return { ...error.toJSON(), actions };
}

const HISTORY: Action = {
  command: ['swapctl', 'history', '--status', 'unknown'],
  why: 'see which requests have an unknown outcome',
};
const DOCTOR: Action = { command: ['swapctl', 'doctor'], why: 'find out what is wrong and how to fix it' };
const AUTH_STATUS: Action = {
  command: ['swapctl', 'auth', 'status'],
  why: 'see which key pair is used, and where it comes from',
};

const POLICY: Action = {
  command: ['swapctl', 'policy', 'show'],
  why: 'see the rules and what is left of each limit',
};

/** Next commands for the codes where they do not depend on the details. */
const ACTIONS: Readonly<Partial<Record<ErrorCode, readonly Action[]>>> = {
  internal: [HISTORY, DOCTOR],
  invalid_config: [DOCTOR],
  not_found: [{ command: ['swapctl', 'history'], why: 'see the orders of the ledger' }],
  no_credentials: [
    { command: ['swapctl', 'auth', 'login'], why: 'store a key pair; it asks on a terminal' },
    { command: ['swapctl', 'auth', 'list'], why: 'see the stored profiles' },
  ],
  invalid_public_key: [DOCTOR, AUTH_STATUS],
  invalid_payload: [DOCTOR, AUTH_STATUS],
  invalid_signature: [DOCTOR, AUTH_STATUS],
  network_error: [DOCTOR],
  timeout: [DOCTOR],
  bad_response: [DOCTOR],
  outcome_unknown: [HISTORY],
  storage_failed: [DOCTOR],
  policy_refused: [POLICY],
  stopped: [POLICY],
};

/** Next commands for an error; outside text in them is one argument, or left out. */
function actionsFor(code: ErrorCode, details: Readonly<Record<string, unknown>>): readonly Action[] {
  const [coin, order] = [argument(details['coin']), argument(details['order'])];
  const approval = approvalId(details);
  if ((code === 'network_required' || code === 'unknown_network') && coin !== null)
    return [{ command: ['swapctl', 'networks', coin], why: 'see its networks' }];
  if (code === 'unknown_coin')
    return [{ command: ['swapctl', 'coins', ...(coin === null ? [] : [coin])], why: 'search for the coin' }];
  if (code === 'still_open' && order !== null)
    return [{ command: ['swapctl', 'status', order, '--watch'], why: 'watch it until it ends' }];
  if (code === 'approval_required' && approval !== null)
    return [
      { command: ['swapctl', 'policy', 'approvals', 'show', approval], why: 'see what has to be approved' },
    ];
  if (code === 'swap_failed' && order !== null)
    return [{ command: ['swapctl', 'status', order], why: 'see how it ended' }];
  return ACTIONS[code] ?? [];
}

/** The id of the approval that the details of an error name; null if they name none. */
export function approvalId({ approval }: Readonly<Record<string, unknown>>): string | null {
  return argument(typeof approval === 'object' && approval !== null ? Reflect.get(approval, 'id') : null);
}

/** A coin or order number that is one argument and cannot be a flag; null for any other text. */
function argument(text: unknown): string | null {
  return typeof text === 'string' && /^[A-Za-z0-9][A-Za-z0-9._$@+-]{0,127}$/.test(text) ? text : null;
}

/** A copy of an error with another message and some parts replaced. */
export function restated(error: SwapctlError, message: string, init: ErrorInit): SwapctlError {
  const { code, hint, httpStatus, retryable, outcome, details, actions } = error;
  const same = { hint, details, httpStatus, retryable, outcome, actions };
  return new SwapctlError(code, message, { ...same, ...init });
}

/** A text that ends with a full stop, so that a sentence can follow; messages of services often lack one. */
export function fullSentence(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** Wrong usage, or input that is refused before anything is sent. */
export class UsageError extends SwapctlError {
  override readonly name = 'UsageError';

  constructor(message: string, hint?: string, code: ErrorCode = 'usage', details?: Record<string, unknown>) {
    super(code, message, { hint, details });
  }
}

/** The error `not_found` for a name that is not in a list; `list` is the command that shows it, without `swapctl`. */
export function notListed(message: string, list: string): SwapctlError {
  const actions: Action[] = [{ command: ['swapctl', ...list.split(' ')], why: 'see which there are' }];
  return new SwapctlError('not_found', message, { hint: `List them with \`swapctl ${list}\`.`, actions });
}

/** Hint of an error for a missing part of the program itself. */
export const REINSTALL = 'Reinstall swapctl from the same package file as before.';

/** The ledger or the configuration could not be read or written. */
export class StorageError extends SwapctlError {
  override readonly name = 'StorageError';

  constructor(
    message: string,
    hint?: string,
    outcome: Outcome = 'nothing-sent',
    details?: Record<string, unknown>,
  ) {
    super('storage_failed', message, { hint, details, outcome });
  }
}

/** A signal or Ctrl-C ended the work: before anything was sent, unless the message and outcome say otherwise. */
export class InterruptedError extends SwapctlError {
  override readonly name: string = 'InterruptedError';
  readonly signal: 'SIGINT' | 'SIGTERM';

  constructor(
    signal: 'SIGINT' | 'SIGTERM',
    message = 'Interrupted; nothing was sent.',
    outcome: Outcome = 'nothing-sent',
  ) {
    // What was sent, or may have been, must not be sent again.
    super('interrupted', message, { retryable: outcome === 'nothing-sent', outcome });
    this.signal = signal;
  }

  override get exitCode(): number {
    return this.signal === 'SIGTERM' ? 143 : 130;
  }
}

/** Ctrl-C ended a watch, which has no other end: a person's choice, and not a failure. */
export class StoppedError extends InterruptedError {
  override readonly name = 'StoppedError';
}

/** The result of some work, or the SwapctlError that it throws. Throws any other error, and an interruption. */
export async function attempt<T>(work: () => T | Promise<T>): Promise<T | SwapctlError> {
  try {
    return await work();
  } catch (error) {
    return asSwapctlError(error);
  }
}

/** {@link attempt} for work that waits for nothing. */
export function attemptSync<T>(work: () => T): T | SwapctlError {
  try {
    return work();
  } catch (error) {
    return asSwapctlError(error);
  }
}

function asSwapctlError(error: unknown): SwapctlError {
  if (error instanceof SwapctlError && !(error instanceof InterruptedError)) return error;
  throw error;
}

/** Standard output was closed, which ends the program without an error. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}
