import { PassThrough, Writable } from 'node:stream';
import type { Context, GlobalFlags, ProcessIo } from '../../../src/cli/context.ts';
import { resolvePaths } from '../../../src/cli/settings/paths.ts';
import { createSettings } from '../../../src/cli/settings/settings.ts';
import { openInput } from '../../../src/cli/terminal/input.ts';
import type { Prompter } from '../../../src/cli/terminal/questions.ts';
import { createStreams } from '../../../src/cli/terminal/streams.ts';
import { main } from '../../../src/main.ts';
import { wirings } from '../stand-ins/wiring.ts';
import type { Program } from '../world/world.ts';

/** How a command line is run. */
export interface Typed {
  /** Answers every question; without one there is no terminal. */
  readonly prompter?: Prompter;
  readonly columns?: number;
  readonly input?: string;
  /** The ports in place of those of the program. */
  readonly ports?: Program['ports'];
  /** Other key pairs of the configuration. */
  readonly others?: readonly KeyPair[];
  /** At a terminal, standard output is a pipe all the same. */
  readonly isRedirected?: boolean;
  /** Hears each text before it is written; one that it returns an error for is not. */
  readonly onWrite?: (stream: 'stdout' | 'stderr', text: string) => Error | null;
  /** The profile that is in use has real money; the built-in sandbox is the service of the world without. */
  readonly isLive?: boolean;
  /** The secret of the profile; by default that of the program. */
  readonly secret?: string | undefined;
  /** Writes to standard input, and reads what comes. */
  readonly talk?: { readonly stdin: PassThrough; onOutput(text: string): void };
  readonly env?: Readonly<Record<string, string>>;
  /** A clock and signals in place of the program's. */
  readonly time?: Pick<Program['ports'], 'now' | 'monotonic' | 'sleep' | 'signal'>;
  /** What makes the context, in place of the ports of the program. */
  readonly wiring?: (parts: ProcessIo, flags: GlobalFlags) => Context;
}

/** A key pair, and how its service is reached. */
export interface KeyPair extends Pick<Program['ports'], 'service'> {
  readonly account: Program['process']['account'];
}

/** What a command line came to. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** No file of the machine is there. */
const HOME = '/nonexistent/simulation';

let processIds = 0;

/** Runs a command line with all that it prints, as its program: only sockets, files, the terminal and time are not real. */
export async function runCommandLine(
  program: Program,
  args: readonly string[],
  typed: Typed = {},
): Promise<Printed> {
  const text = { stdout: '', stderr: '' };
  const terminal = typed.prompter === undefined ? {} : { isTTY: true, columns: typed.columns ?? 80 };
  const output = (name: 'stdout' | 'stderr') => {
    const write = (part: Buffer, _: string, done: (error: Error | null) => void) => {
      const error = typed.onWrite?.(name, part.toString()) ?? null;
      if (error === null) text[name] += part.toString();
      if (name === 'stdout') typed.talk?.onOutput(part.toString());
      done(error);
    };
    const isTerminal = name === 'stderr' || typed.isRedirected !== true;
    return Object.assign(new Writable({ write }), isTerminal ? terminal : {});
  };
  const stdin = Object.assign(typed.talk?.stdin ?? new PassThrough(), terminal);
  if (typed.talk === undefined) stdin.end(typed.input ?? '');
  processIds += 1;
  const processId = processIds;
  const { signal, now, monotonic, sleep } = typed.time ?? typed.ports ?? program.ports;
  wirings.set(processId, typed.wiring ?? ((parts, flags) => contextOf(program, typed, parts, flags)));
  try {
    const exitCode = await main(args, {
      streams: { stdin, stdout: output('stdout'), stderr: output('stderr') },
      env: typed.env ?? { HOME, TERM: 'dumb', NO_COLOR: '1' },
      platform: 'linux',
      processId,
      signal,
      now,
      monotonic,
      sleep,
      ...(typed.prompter === undefined ? {} : { prompter: typed.prompter }),
    });
    program.world.model.refuseSecrets(program.process, `${text.stdout}\n${text.stderr}`);
    return { ...text, exitCode };
  } finally {
    wirings.delete(processId);
  }
}

function contextOf(program: Program, typed: Typed, parts: ProcessIo, flags: GlobalFlags): Context {
  const streams = createStreams(parts.streams, parts.env, flags);
  const { prompter } = parts;
  const ports = typed.ports ?? program.ports;
  const { account } = program.process;
  const pairs: readonly KeyPair[] = [{ account, service: ports.service }, ...(typed.others ?? [])];
  const settings = createSettings(parts.env, resolvePaths(parts.env, parts.platform), flags, parts.signal);
  const { isLive, secret = account.credentials.secret } = typed;
  const credentials = { ...account.credentials, secret };
  const isBuiltIn = isLive === true && flags.sandbox === true;
  const environment = isLive === true && !isBuiltIn ? 'live' : account.owner.environment;
  const profile = isBuiltIn
    ? ({ kind: 'built-in', name: 'sandbox', environment: 'sandbox' } as const)
    : { ...profileOf({ account }), environment, secret };
  return {
    ...ports,
    owner: async () => ({ ...(await ports.owner()), profile: profile.name, environment }),
    service: async () => ({ ...(await ports.service()), profile: profile.name, environment, credentials }),
    streams,
    flags,
    onlyProfile: settings.onlyProfile,
    prompter: prompter ?? NO_ONE,
    settings: {
      ...settings,
      names: async () => pairs.map(({ account: { owner } }) => owner.profile),
      named: async (name) => {
        const found = pairs.find(({ account: { owner } }) => owner.profile === name);
        return found === undefined ? settings.named(name) : profileOf(found);
      },
    },
    profile: async () => profile,
    deadline: () => ports.deadline(),
    notify: async (notice) => {
      await ports.notify(notice);
      if (notice.level === 'warning') await streams.warn(notice.text);
      else if (notice.level === 'note') streams.note(notice.text, true);
    },
    serviceFor: async (profile) => {
      const isIts = ({ account: { credentials } }: KeyPair) =>
        profile.kind === 'remote' && profile.publicKey === credentials.publicKey;
      return (pairs.find(isIts)?.service ?? ports.service)();
    },
    storedCoins: async () => (await ports.coinList()).coins,
    input: (path) => openInput(path, { stdin: parts.streams.stdin, signal: parts.signal }),
    proxyFor: async () => null,
    actingFor: () => undefined,
    operator: () => Promise.reject(new TypeError('The world has no sandbox of its own.')),
    close: async () => undefined,
  };
}

function profileOf({ account }: Pick<KeyPair, 'account'>) {
  const { baseUrl, owner, credentials } = account;
  return {
    kind: 'remote' as const,
    name: owner.profile,
    source: 'a world',
    environment: owner.environment,
    baseUrl,
    ...credentials,
  };
}

/** Where no one sits, no question may be asked. */
export const NO_ONE: Prompter = {
  select: unexpectedQuestion,
  search: unexpectedQuestion,
  input: unexpectedQuestion,
  password: unexpectedQuestion,
  confirm: unexpectedQuestion,
};

function unexpectedQuestion(): Promise<never> {
  return Promise.reject(new TypeError('A question is asked where no one sits.'));
}
