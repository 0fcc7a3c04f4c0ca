import { spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { childEnvironment } from '../../base/environment.ts';
import { InterruptedError, StorageError, SwapctlError } from '../../base/errors.ts';
import { codeInBrackets, isWindows, systemCode } from '../../base/files.ts';
import { checkBaseUrl } from '../../core/partner-api/base-url.ts';
import { checkCredentials, defaultEnvironment, ENV_PROFILE } from '../../core/partner-api/key-pair.ts';
import type { Profile } from './profile.ts';
import { hasTerminal, shellCall, stopCommand } from './shell.ts';

/** The variables that can hold or lead to the secret; the first that is set is used. */
const SECRET_NAMES = ['SWAPCTL_SECRET', 'SWAPCTL_SECRET_FILE', 'SWAPCTL_SECRET_COMMAND'] as const;

const ANY_SECRET = 'SWAPCTL_SECRET, SWAPCTL_SECRET_FILE or SWAPCTL_SECRET_COMMAND';

/** Source of a secret that a command printed, for people. */
export const COMMAND_SOURCE = 'the command of SWAPCTL_SECRET_COMMAND';

const ENV_NAMES = ['SWAPCTL_PUBLIC_KEY', ...SECRET_NAMES, 'SWAPCTL_BASE_URL'] as const;

/** The environment variables that select the profile before any stored choice. */
export function profileVariables(env: NodeJS.ProcessEnv): readonly string[] {
  const parts = ENV_NAMES.filter((name) => Boolean(env[name]));
  return parts.length > 0 ? parts : ['SWAPCTL_PROFILE'].filter((name) => Boolean(env[name]));
}

/** Whether any of the variables is set; then neither a stored profile nor the sandbox is used. */
export function hasEnvProfile(env: NodeJS.ProcessEnv): boolean {
  return ENV_NAMES.some((name) => Boolean(env[name]));
}

/** The profile of the environment variables, running a secret command; throws what is missing or wrong. */
export async function envProfile(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Profile> {
  const missing = [
    env['SWAPCTL_PUBLIC_KEY'] ? '' : 'SWAPCTL_PUBLIC_KEY',
    SECRET_NAMES.some((name) => Boolean(env[name])) ? '' : ANY_SECRET,
    env['SWAPCTL_BASE_URL'] ? '' : 'SWAPCTL_BASE_URL',
  ].filter((name) => name !== '');
  if (missing.length > 0)
    throw new SwapctlError('no_credentials', `The environment profile needs ${missing.join(' and ')}.`, {
      hint: hasEnvProfile(env)
        ? 'Set all of them, or unset all of them to use a stored profile or the sandbox.'
        : 'Set them, or use a stored profile with --profile, or --sandbox.',
    });
  const baseUrl = checkBaseUrl(env['SWAPCTL_BASE_URL'] ?? '');
  const pastedKey = env['SWAPCTL_PUBLIC_KEY'] ?? '';
  const { secret: pastedSecret, source, variable } = await secretOf(env, signal);
  const variables = { publicKey: 'SWAPCTL_PUBLIC_KEY', secret: variable };
  const [publicKey, secret] = [pastedKey.trim(), pastedSecret.trim()];
  const trimmed = [
    ...(publicKey === pastedKey ? [] : ['public key']),
    ...(secret === pastedSecret ? [] : ['secret']),
  ];
  checkCredentials(
    publicKey,
    secret,
    `Both come from the environment: fix ${variables.publicKey} or ${variables.secret}.`,
  );
  const environment = defaultEnvironment(baseUrl);
  const named = { kind: 'remote', name: ENV_PROFILE, source, variables } as const;
  return { ...named, baseUrl, publicKey, secret, environment, ...(trimmed.length === 0 ? {} : { trimmed }) };
}

/** The secret, its variable, and its source for people, which never repeats a command: it may contain a secret. */
async function secretOf(env: NodeJS.ProcessEnv, signal: AbortSignal) {
  const { SWAPCTL_SECRET: own, SWAPCTL_SECRET_FILE: file, SWAPCTL_SECRET_COMMAND: command } = env;
  if (own) return { secret: own, source: 'environment variables', variable: 'SWAPCTL_SECRET' };
  if (file) return { secret: await secretFromFile(file), source: file, variable: 'SWAPCTL_SECRET_FILE' };
  if ((command ?? '').trim() === '')
    throw new SwapctlError('no_credentials', 'SWAPCTL_SECRET_COMMAND is blank.', {
      hint: 'Set it to a command that prints the secret, or unset it.',
    });
  const secret = await secretFromCommand(command ?? '', childEnvironment(env), signal);
  return { secret, source: COMMAND_SOURCE, variable: 'SWAPCTL_SECRET_COMMAND' };
}

/** Time limit for the writer of a pipe, which may be a password manager that prompts. */
const MAX_PIPE_MS = 60_000;

const PIPE_STEP_MS = 20;

/** Leaves out the path: if the two variables were confused, it is the secret itself. */
const VARIABLES_HINT =
  'SWAPCTL_SECRET_FILE must be the path of a file that contains the secret; SWAPCTL_SECRET is the secret itself.';

/**
 * Reads the secret from a file or a pipe (as from a shell's process substitution), without one trailing line break. A
 * pipe without a writer is refused immediately. Throws StorageError.
 */
async function secretFromFile(file: string): Promise<string> {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe without a writer would block forever.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(descriptor);
    if (found.isFIFO()) return withoutBreak(await readPipe(descriptor, file));
    if (found.isDirectory() || found.isFile()) return withoutBreak(readFileSync(descriptor, 'utf8'));
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw unreadable(`could not be read${codeInBrackets(error)}`, VARIABLES_HINT);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
  throw unreadable('is neither a file nor a pipe', `Check the path: ${file}`);
}

const withoutBreak = (text: string) => text.replace(/\r?\n$/, '');

async function readPipe(descriptor: number, file: string): Promise<string> {
  const parts: Buffer[] = [];
  const late = performance.now() + MAX_PIPE_MS;
  for (;;) {
    const part = readReady(descriptor);
    if (part?.length === 0) break;
    if (part !== null) parts.push(part);
    else if (performance.now() < late) await pause(PIPE_STEP_MS);
    else throw unreadable('is a pipe whose writer sent nothing', `Check the program that writes to ${file}`);
  }
  if (parts.length > 0) return Buffer.concat(parts).toString();
  throw unreadable('is a pipe without a writer', 'Set it to the path of a file, or set SWAPCTL_SECRET.');
}

/** The bytes in the pipe now: none after the last writer closed it, null while a writer has yet to write. */
function readReady(descriptor: number): Buffer | null {
  const part = Buffer.alloc(4096);
  try {
    return part.subarray(0, readSync(descriptor, part));
  } catch (error) {
    if (systemCode(error) === 'EAGAIN') return null;
    throw error;
  }
}

function unreadable(why: string, hint: string): StorageError {
  return new StorageError(`The file of SWAPCTL_SECRET_FILE ${why}.`, hint);
}

/** Time limit of the command, which may be a password manager that prompts. */
const MAX_COMMAND_MS = 60_000;

/** More than any secret has, in bytes. */
const MAX_OUTPUT_BYTES = 8192;

/**
 * The standard output of `SWAPCTL_SECRET_COMMAND`, run by the system's shell, without one trailing line break. `env` is
 * the command's environment, without secrets; its standard error is the terminal's, so that a password manager can prompt.
 * Throws `no_credentials`, or `interrupted` when `signal` is aborted or a signal ended the command; no message repeats the
 * command or its output.
 */
export function secretFromCommand(
  command: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  limitMs = MAX_COMMAND_MS,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const { file, args, ...how } = shellCall(command, env);
    // A process group of its own has no terminal, which a password manager may need for its prompt.
    const detached = !isWindows() && !hasTerminal();
    const child = spawn(file, args, { ...how, env, detached, stdio: ['ignore', 'pipe', 'inherit'] });
    const parts: Buffer[] = [];
    let size = 0;
    let isOver = false;
    const end = (settle: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
      // A process that it left running may keep the pipe open, which would keep this process alive.
      child.stdout.destroy();
      settle();
    };
    const stop = (error: Error) => end(() => void stopCommand(child, detached).finally(() => reject(error)));
    const refuse = (what: string) => stop(failed(what));
    const interrupt = () => stop(signal.reason as Error);
    signal.addEventListener('abort', interrupt, { once: true });
    const timer = setTimeout(() => refuse(`did not finish within ${limitMs / 1000} s`), limitMs);
    child.once('error', () => refuse(`could not be started: ${file} was not found`));
    child.stdout.on('data', (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size > MAX_OUTPUT_BYTES) refuse(`printed more than ${MAX_OUTPUT_BYTES} bytes`);
    });
    child.once('close', (code, endedBy) => {
      const interruption = interruptionOf(code, endedBy);
      if (interruption !== null) return end(() => reject(new InterruptedError(interruption)));
      if (code !== 0) return refuse(`failed (${endedBy ?? `exit code ${code}`})`);
      const secret = withoutBreak(Buffer.concat(parts).toString());
      return secret.trim() === '' ? refuse('printed nothing') : end(() => resolve(secret));
    });
  });
}

/** The signal that ended the command, which a shell reports as an exit code; null for any other end. */
function interruptionOf(code: number | null, endedBy: NodeJS.Signals | null): 'SIGINT' | 'SIGTERM' | null {
  if (endedBy === 'SIGINT' || code === 130) return 'SIGINT';
  return code === 143 ? 'SIGTERM' : null;
}

function failed(what: string): SwapctlError {
  return new SwapctlError('no_credentials', `The command of SWAPCTL_SECRET_COMMAND ${what}.`, {
    hint: 'Run it in a shell to check: it must print only the secret to standard output. It gets no standard input and no secrets from the environment.',
  });
}
