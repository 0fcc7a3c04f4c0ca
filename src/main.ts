import type { Context } from './context.ts';
import type { ErrorCode } from './errors.ts';
import { InterruptedError, SwapctlError } from './errors.ts';
import type { RunSoFar } from './program.ts';
import { parseCommandLine } from './program.ts';
import { visible, visibleDeep } from './swap/text.ts';
import { PLAIN } from './terminal/style.ts';

/**
 * Runs one command line and returns its exit code. The one place where an error becomes words and a code; a
 * closed pipe on stdout is no error.
 */
export async function main(argv: readonly string[]): Promise<number> {
  let signal: AbortSignal | undefined;
  const soFar: RunSoFar = {
    flags: { json: argv.includes('--json'), debug: argv.includes('--debug') },
  };
  // Whoever writes learns of a failure from the write itself; an event that nobody hears would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    return await parseCommandLine(argv, soFar, {
      streams: process,
      env: process.env,
      platform: process.platform,
      processId: process.pid,
      get signal() {
        signal ??= interruptions();
        return signal;
      },
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'ClosedPipe') return 0;
    return report(error, soFar);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Aborted by the first SIGINT or SIGTERM; a second one ends the process the hard way. Listened for once work begins. */
function interruptions(): AbortSignal {
  const abort = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    abort.abort(new InterruptedError(name === 'SIGTERM' ? 'SIGTERM' : 'SIGINT'));
    // Not at once: libraries that restore the terminal kill the process if they find themselves alone with a signal.
    setImmediate(() => {
      for (const each of SIGNALS) process.off(each, onSignal);
    });
  };
  for (const each of SIGNALS) process.on(each, onSignal);
  return abort.signal;
}

/** Writes an error to stderr, as words or as the last line's JSON object, and returns its exit code. */
async function report(thrown: unknown, { flags, context }: RunSoFar): Promise<number> {
  const error = thrown instanceof SwapctlError ? thrown : internal(thrown);
  const text =
    flags.json === true ? JSON.stringify(visibleDeep(errorObject(error))) : await errorWords(error, context);
  const stack =
    (context?.flags ?? flags).debug === true && error.stack !== undefined
      ? `${error.stack.split('\n').map(visible).join('\n')}\n`
      : '';
  await new Promise<void>((resolve) => process.stderr.write(`${stack}${text}\n`, () => resolve()));
  return error.exitCode;
}

function internal(thrown: unknown): SwapctlError {
  const error = new SwapctlError('internal', `Something went wrong inside swapctl: ${describe(thrown)}`, {
    outcome: 'unknown',
    hint: 'Run it again with --debug, and report what it says. If this was a create, look at `swapctl history` first.',
  });
  if (thrown instanceof Error && thrown.stack !== undefined) error.stack = thrown.stack;
  return error;
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}

/** The error object of `--json`. */
export function errorObject(error: SwapctlError): {
  error: { code: ErrorCode; message: string; exitCode: number } & Record<string, unknown>;
} {
  const { code, message, hint, httpStatus, retryable, outcome, exitCode, details } = error;
  return { error: { code, message, hint, httpStatus, retryable, outcome, exitCode, details } };
}

async function errorWords(error: SwapctlError, context: Context | undefined): Promise<string> {
  const style = context === undefined ? PLAIN : await context.streams.noteStyle();
  const sentence = (text: string) =>
    context === undefined ? text.split('\n').map(visible).join('\n') : context.streams.sentence(text);
  const message = sentence(`${ERROR_MARK} ${error.message}`).slice(ERROR_MARK.length);
  const hint = error.hint === null ? '' : `\n${style.dim(sentence(error.hint))}`;
  return `${style.red(ERROR_MARK)}${message}${hint}`;
}

const ERROR_MARK = 'error:';
