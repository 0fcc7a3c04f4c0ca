import type { Writable } from 'node:stream';
import { ClosedPipe, EXIT_CODES, InterruptedError, StoppedError, SwapctlError } from './base/errors.ts';
import { isWindows, type System } from './base/files.ts';
import { joined, linesOf, shown, type Visible, visible, visibleJson } from './base/text.ts';
import type { Context, ProcessIo } from './cli/context.ts';
import { finalErrorJson, parseCommandLine, type RunState } from './cli/program.ts';
import { isOutputClosed } from './cli/terminal/closed-output.ts';
import { PLAIN } from './cli/terminal/style.ts';

/**
 * Runs one command line and returns its exit code. Errors become a message and a code only here; a closed pipe on stdout
 * is no error.
 */
export async function main(argv: readonly string[], io: ProcessIo = ofThisProcess()): Promise<number> {
  const runState: RunState = {
    flags: {
      json: argv.some((word) => /^--(json$|fields(=|$))/.test(word)),
      debug: argv.includes('--debug'),
    },
  };
  // Each write reports its own failure; an unhandled error event would end the process.
  for (const stream of [io.streams.stdout, io.streams.stderr]) stream.on('error', () => undefined);
  try {
    if (io.streams === process && isOutputClosed()) throw closedOutput();
    return await parseCommandLine(argv, runState, io);
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    return report(error, runState, io.streams.stderr, argv);
  }
}

/** Before anything is done: an order whose deposit address cannot be shown is of no use. */
function closedOutput(): SwapctlError {
  return new SwapctlError('write_failed', 'Standard output is closed, so nothing was done.', {
    hint: 'To discard the result, redirect it with `> /dev/null`.',
  });
}

function ofThisProcess(): ProcessIo {
  let abort: AbortController | undefined;
  const interruptController = () => (abort ??= abortBySignals());
  const { env, platform, pid: processId } = process;
  return {
    streams: process,
    env,
    platform,
    processId,
    get signal() {
      return interruptController().signal;
    },
  };
}

/** Signals that ask the program to end; Windows sends SIGBREAK for Ctrl-Break, and SIGHUP as a console is closed. */
function endingSignals(system?: System): readonly NodeJS.Signals[] {
  return isWindows(system) ? ['SIGINT', 'SIGBREAK', 'SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];
}

/**
 * Aborted by the first SIGINT or SIGTERM, or their equivalents on Windows; a second one kills the process. SIGHUP acts
 * as SIGTERM, but arrives twice when a terminal is closed: from the system and from the shell. Listening starts with
 * the work.
 */
export function abortBySignals(
  source: Pick<NodeJS.EventEmitter, 'on' | 'off'> = process,
  system?: System,
): AbortController {
  const abort = new AbortController();
  const signals = endingSignals(system);
  const onSignal = (name: NodeJS.Signals) => {
    const isTyped = name === 'SIGINT' || name === 'SIGBREAK';
    abort.abort(new InterruptedError(isTyped ? 'SIGINT' : 'SIGTERM'));
    // Not immediately: signal-exit, used by ora, kills the process if it is the only listener of a signal.
    setImmediate(() => {
      for (const each of signals) if (each !== 'SIGHUP') source.off(each, onSignal);
    });
  };
  for (const each of signals) source.on(each, onSignal);
  return abort;
}

/** Writes an error to stderr, as text or as a JSON object on the last line, and returns its exit code. */
async function report(
  thrown: unknown,
  { flags, context }: RunState,
  stderr: Writable,
  argv: readonly string[],
): Promise<number> {
  const error = thrown instanceof SwapctlError ? thrown : internal(thrown);
  const text =
    flags.json === true
      ? visibleJson({ error: finalErrorJson(error, argv, flags) })
      : await errorWords(error, context);
  const isUsage = error.exitCode === EXIT_CODES.usage;
  const stack = (context?.flags ?? flags).debug === true && !isUsage ? stackLines(error) : '';
  const notice = shown`${stack}${text}\n`;
  await new Promise<void>((resolve) => stderr.write(notice, () => resolve()));
  return error.exitCode;
}

/** The stack of an error, for `--debug`. Its message may have line breaks, which must not look like stack lines. */
function stackLines({ message, stack = '' }: SwapctlError): Visible {
  const places = (stack.split(message).at(-1) ?? '').split('\n');
  const lines = [`Error: ${message}`, ...places.filter((line) => /^ +at /.test(line))];
  return joined(lines.map((line) => shown`${visible(line)}\n`));
}

function internal(thrown: unknown): SwapctlError {
  const error = new SwapctlError('internal', `Something went wrong inside swapctl: ${describe(thrown)}`, {
    outcome: 'unknown',
    hint: 'Run it again with --debug and report the output. If this was to create a swap, check `swapctl history` first.',
  });
  if (thrown instanceof Error && thrown.stack !== undefined) error.stack = thrown.stack;
  return error;
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}

/** An error as coloured text, its hint on a separate line. */
export async function errorWords(error: SwapctlError, context: Context | undefined): Promise<Visible> {
  const style = context === undefined ? PLAIN : await context.streams.noteStyle();
  const sentence = context === undefined ? visible : context.streams.sentence;
  if (error instanceof StoppedError) return visible(error.message);
  const [first = '', ...rest] = linesOf(sentence(`${ERROR_MARK} ${error.message}`));
  const message = joined([visible(first.slice(ERROR_MARK.length)), ...rest], shown`\n`);
  const hint = error.hint === null ? '' : shown`\n${style.dim(sentence(error.hint))}`;
  return shown`${style.red(ERROR_MARK)}${message}${hint}`;
}

const ERROR_MARK = shown`error:`;
