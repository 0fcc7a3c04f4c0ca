import { type ErrorCode, EXIT_CODES, type Outcome } from '../errors.ts';

/** What a program has to know about an error code. */
export interface ErrorCodeData {
  readonly code: ErrorCode;
  /** Exit code of the command; of `interrupted` 143 where the signal was SIGTERM or SIGHUP. */
  readonly exitCode: number;
  readonly meaning: string;
  /** Whether the same command may succeed later; null where it depends on the case, which the error object decides. */
  readonly retryable: boolean | null;
  /** Possible effects of the request. */
  readonly outcomes: readonly Outcome[];
  readonly fix: string;
}

type Facts = Pick<ErrorCodeData, 'meaning' | 'retryable' | 'fix'> & {
  /** Default: nothing was sent. */
  readonly outcomes?: readonly Outcome[];
};

const FIX_INPUT = 'Fix the arguments; nothing was sent.';
const CHECK_KEYS = 'Run `swapctl doctor`, then store the key pair again with `swapctl auth login`.';
const SENT_OR_NOT: readonly Outcome[] = ['nothing-sent', 'refused'];
/** A request to set a refund address may have taken effect; to send the same address again changes nothing. */
const ANY_READ: readonly Outcome[] = ['nothing-sent', 'refused', 'unknown'];

const FACTS: Readonly<Record<ErrorCode, Facts>> = {
  internal: {
    meaning: 'an internal error of swapctl',
    retryable: false,
    outcomes: ['unknown'],
    fix: 'If it was a create, check `swapctl history` first. Report the output of --debug.',
  },
  write_failed: {
    meaning: 'the command completed, but its result could not be written',
    retryable: false,
    outcomes: ['done'],
    fix: 'Free disk space, then read the result again.',
  },
  usage: { meaning: 'wrong command, argument or flag', retryable: false, fix: FIX_INPUT },
  invalid_amount: { meaning: 'not a plain decimal amount above zero', retryable: false, fix: FIX_INPUT },
  invalid_address: {
    meaning: 'not a payable address on its network',
    retryable: false,
    fix: 'Get the address again from the recipient; check it with `swapctl address`.',
  },
  memo_required: {
    meaning: 'the recipient needs a memo, and none was given',
    retryable: false,
    fix: 'Pass --memo as the recipient gave it; --no-memo only if the recipient needs none.',
  },
  invalid_memo: { meaning: 'not a memo of its network', retryable: false, fix: FIX_INPUT },
  network_required: {
    meaning: 'the coin is on several networks, and none was named',
    retryable: false,
    fix: 'Write COIN:NETWORK; see `swapctl networks <coin>`.',
  },
  unknown_coin: {
    meaning: 'the service does not list the coin',
    retryable: false,
    fix: 'Search with `swapctl coins <search>`.',
  },
  unknown_network: {
    meaning: 'the coin is not on this network',
    retryable: false,
    fix: 'See `swapctl networks <coin>`.',
  },
  insecure_url: {
    meaning: 'a base URL without https:',
    retryable: false,
    fix: 'Use https:; http: is only for this machine.',
  },
  invalid_config: {
    meaning: 'a stored setting or a variable cannot be used',
    retryable: false,
    fix: 'Run `swapctl doctor`.',
  },
  not_found: {
    meaning: 'the order, profile, entry or file does not exist',
    retryable: false,
    outcomes: SENT_OR_NOT,
    fix: 'Check the name or number.',
  },
  no_credentials: {
    meaning: 'no key pair, or its secret cannot be read',
    retryable: false,
    fix: 'Have a person run `swapctl auth login`, or name a profile with -p.',
  },
  invalid_public_key: {
    meaning: 'the service does not know the public key',
    retryable: false,
    outcomes: ['refused'],
    fix: CHECK_KEYS,
  },
  invalid_payload: {
    meaning: 'the service refused the signed endpoint name',
    retryable: false,
    outcomes: ['refused'],
    fix: 'Check the base URL, and that no proxy removes x-api-payload.',
  },
  invalid_signature: {
    meaning: 'the secret does not belong to the public key',
    retryable: false,
    outcomes: ['refused'],
    fix: CHECK_KEYS,
  },
  amount_below_min: {
    meaning: 'less than the service exchanges',
    retryable: false,
    outcomes: SENT_OR_NOT,
    fix: 'Raise the amount; `min` of `swapctl quote` is the limit.',
  },
  amount_above_max: {
    meaning: 'more than the service exchanges',
    retryable: false,
    outcomes: SENT_OR_NOT,
    fix: 'Lower the amount; `max` of `swapctl quote` is the limit.',
  },
  invalid_withdrawal_address: {
    meaning: 'the service refused the payout address',
    retryable: false,
    outcomes: ['refused'],
    fix: 'Get the address again from the recipient.',
  },
  validation_failed: {
    meaning: 'the service found the request invalid',
    retryable: false,
    outcomes: ['refused'],
    fix: 'Read `details.messages`, and fix the request.',
  },
  rejected: {
    meaning: 'the service, or the terms of the create, refused it',
    retryable: null,
    outcomes: SENT_OR_NOT,
    fix: 'Read the message; ask for a new quote before a new create.',
  },
  network_error: {
    meaning: 'the service could not be reached',
    retryable: null,
    outcomes: ANY_READ,
    fix: 'Check the network, proxy and base URL, then repeat the command.',
  },
  timeout: {
    meaning: 'no response in time',
    retryable: null,
    outcomes: ANY_READ,
    fix: 'Repeat the command, with a longer --timeout if one was set.',
  },
  rate_limited: {
    meaning: 'too many requests',
    retryable: true,
    outcomes: SENT_OR_NOT,
    fix: 'Wait `details.retryAfterSeconds`, or a minute, then repeat the command.',
  },
  service_error: {
    meaning: 'the service failed (5xx), or a proxy stopped waiting for it (408, 425, 460, 499)',
    retryable: true,
    outcomes: ANY_READ,
    fix: 'Repeat the command later.',
  },
  bad_response: {
    meaning: 'the response is not what the API returns',
    retryable: null,
    outcomes: ANY_READ,
    fix: 'Check the base URL; run `swapctl conformance`.',
  },
  outcome_unknown: {
    meaning: 'a create was sent without a usable response, or its order could not be recorded or shown',
    retryable: false,
    outcomes: ['unknown', 'done'],
    fix: 'Never create it again with another key, and fund nothing. Run `swapctl history`, ask the service, then `swapctl history resolve`.',
  },
  still_open: {
    meaning: 'the swap is not final yet',
    retryable: null,
    outcomes: ['done'],
    fix: 'Keep watching with `swapctl status <order> --watch`.',
  },
  attention: {
    meaning: 'status --attention found swaps that need a person',
    retryable: false,
    outcomes: ['done'],
    fix: 'Read `attention` of each result.',
  },
  swap_failed: {
    meaning: 'the swap ended overdue, in error or refunded',
    retryable: false,
    outcomes: ['done'],
    fix: 'See `swapctl history support <order>`; set a refund address if there is none.',
  },
  differs: {
    meaning: 'a comparison or verification found a difference',
    retryable: false,
    outcomes: ['done'],
    fix: 'Read the result, which was printed.',
  },
  declined: {
    meaning: 'a person answered no, or gave no answer',
    retryable: false,
    fix: 'Ask the person before trying again.',
  },
  storage_failed: {
    meaning: 'the ledger or the configuration could not be read or written',
    retryable: null,
    outcomes: ['nothing-sent', 'refused', 'unknown', 'done'],
    fix: 'Run `swapctl doctor`. If the outcome is done or unknown, do not repeat the command.',
  },
  policy_refused: {
    meaning: 'the policy refuses the request',
    retryable: null,
    fix: 'See `swapctl policy show`; only the owner of the policy can change it.',
  },
  approval_required: {
    meaning: 'the policy requires an approval',
    retryable: true,
    fix: 'Have `details.approval.id` granted, then repeat the command with --approval <id>.',
  },
  stopped: {
    meaning: 'creates and refund addresses are stopped for the profile',
    retryable: false,
    fix: 'Ask the person who stopped it; see `swapctl policy show`.',
  },
  interrupted: {
    meaning: 'ended by Ctrl-C or a signal',
    retryable: null,
    outcomes: ['nothing-sent', 'refused', 'unknown', 'done'],
    fix: 'Read `outcome`; after a create, check `swapctl history` first.',
  },
};

/** Every error code, in the order of the exit codes. */
export function errorCodes(): readonly ErrorCodeData[] {
  return (Object.keys(FACTS) as ErrorCode[]).map((code) => {
    const { meaning, retryable, outcomes = ['nothing-sent'], fix } = FACTS[code];
    return { code, exitCode: EXIT_CODES[code], meaning, retryable, outcomes, fix };
  });
}
