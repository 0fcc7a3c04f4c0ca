import { PassThrough } from 'node:stream';
import { createContext } from '../../../src/cli/wiring.ts';
import type { EndpointName } from '../../../src/core/partner-api/endpoints.ts';
import { simulated } from '../stand-ins/clock.ts';
import { type GotOptions, wire } from '../stand-ins/got.ts';
import { keychain } from '../stand-ins/keyring.ts';
import { machine } from '../stand-ins/open.ts';
import { Home } from '../world/machine/home.ts';
import { SCENES } from '../world/machine/machine.ts';
import type { Scene } from '../world/machine/scene.ts';
import { EPOCH } from '../world/process.ts';
import type { Program } from '../world/world.ts';
import { answerOf } from './client.ts';
import { runCommandLine } from './command-line.ts';
import type { Errand } from './desk.ts';

/** Runs command lines on a real machine: only its sockets, keychain and time are not real. */
export const operate: Errand = async ({ program }) => {
  const { model, scheduler } = program.world;
  for (const scene of SCENES) {
    const wrong = await scheduler.whole(() => played(program, scene));
    if (wrong !== null) throw model.fail('machine', `${scene.what}: ${wrong}`);
  }
};

/** Time that passes only while something pauses. */
class Clock {
  #now: number;
  #due: { readonly at: number; readonly work: () => void }[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  readonly now = (): number => this.#now;

  readonly after = (milliseconds: number, work: () => void): void => {
    this.#due.push({ at: this.#now + milliseconds, work });
  };

  readonly sleep = async (milliseconds: number): Promise<void> => {
    this.#now += milliseconds;
    const due = this.#due.filter(({ at }) => at <= this.#now);
    this.#due = this.#due.filter((each) => !due.includes(each));
    for (const { work } of due) work();
    await new Promise((resolve) => void globalThis.setImmediate(resolve));
  };
}

/** Plays a scene in a home folder of its own; returns what is wrong. */
async function played(program: Program, scene: Scene): Promise<string | null> {
  const home = new Home(program.process.account);
  const before = { ...simulated };
  const clock = new Clock(before.now());
  Object.assign(simulated, { now: clock.now, sleep: clock.sleep, after: clock.after });
  machine.folder = home.path;
  try {
    return await mistakeIn(program, home, { scene, clock });
  } finally {
    Object.assign(simulated, before);
    machine.folder = null;
    wire.open = null;
    keychain.secrets.clear();
    keychain.isLocked = false;
    home.remove();
  }
}

async function mistakeIn(
  program: Program,
  home: Home,
  { scene, clock }: { readonly scene: Scene; readonly clock: Clock },
): Promise<string | null> {
  const sent: EndpointName[] = [];
  wire.open = (options, url) => answering(program, { options, url, sent });
  const { secret } = home.account.credentials;
  const env = scene.env?.(home) ?? {};
  const run = (args: readonly string[]) =>
    runCommandLine(program, args, {
      ...(scene.input === undefined ? {} : { input: scene.input }),
      env: { HOME: home.path, TERM: 'dumb', NO_COLOR: '1', ...env },
      time: { now: () => EPOCH + clock.now(), monotonic: clock.now, sleep: clock.sleep },
      wiring: createContext,
    });
  for (const args of scene.first ?? []) {
    const { exitCode, stderr } = await run(args);
    if (exitCode !== 0) return `\`${args.join(' ')}\` ends with ${exitCode}: ${stderr}`;
  }
  scene.change?.(home);
  sent.length = 0;
  const there = home.names();
  const printed = await run(scene.args);
  const text = `${printed.stdout}${printed.stderr}`;
  if (printed.exitCode !== scene.exitCode) return `ends with ${printed.exitCode}: ${text}`;
  if (scene.said?.test(text) === false) return `says ${text}`;
  const creates = sent.filter((endpoint) => endpoint === 'create-transaction').length;
  if (creates !== (scene.creates ?? 0)) return `sends ${creates} creates`;
  if (scene.isSilent === true && sent.length > 0) return `sends ${sent.join(', ')}`;
  const secrets = [secret, ...(scene.secrets ?? [])];
  if (secrets.some((each) => text.includes(each))) return `shows a secret: ${text}`;
  return home.mistake(there, secrets) ?? scene.mistake?.(home, printed) ?? null;
}

/** The stream that got returns for a request that the service answers. */
function answering(
  program: Program,
  { options, url, sent }: { readonly options: GotOptions; readonly url: URL; readonly sent: EndpointName[] },
): PassThrough {
  const stream = new PassThrough();
  const endpoint = url.pathname.split('/').at(-1) as EndpointName;
  sent.push(endpoint);
  const query = Object.fromEntries(url.searchParams);
  const answer = async () => {
    const { status, text, headers } = await answerOf(program, { endpoint, query, body: options.body ?? '' });
    stream.emit('response', { statusCode: status, headers });
    stream.end(text);
  };
  void answer();
  return stream;
}
