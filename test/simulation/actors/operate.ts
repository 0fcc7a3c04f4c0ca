import { EventEmitter } from 'node:events';
import Conf from 'conf';
import { privateFolder } from '../../../bin/compile-cache.js';
import type { Prompter } from '../../../src/cli/terminal/questions.ts';
import { createContext } from '../../../src/cli/wiring.ts';
import { abortBySignals } from '../../../src/main.ts';
import { simulated } from '../stand-ins/clock.ts';
import { wire } from '../stand-ins/got.ts';
import { keychains, loseOtherKeychains } from '../stand-ins/keyring.ts';
import { machine } from '../stand-ins/open.ts';
import { Home } from '../world/machine/home.ts';
import { SCENES } from '../world/machine/machine.ts';
import { COMPILED_FOLDERS } from '../world/machine/programs.ts';
import type { Scene } from '../world/machine/scene.ts';
import { EPOCH } from '../world/process.ts';
import type { Program } from '../world/world.ts';
import { NO_ONE, type Printed, runCommandLine } from './command-line.ts';
import type { Errand } from './desk.ts';
import { callAll, type Sent, startProxy, startService, streamOf } from './sockets.ts';

/** Runs command lines on a real machine: only its connection to the service, its keychain and its time are not real. */
export const operate: Errand = async ({ program }) => {
  const { model, scheduler } = program.world;
  for (const scene of SCENES) {
    const wrong = await scheduler.whole(() => played(program, scene));
    if (wrong !== null) throw model.fail('machine', `${scene.what}: ${wrong}`);
  }
  for (const [what, change, expected] of COMPILED_FOLDERS) {
    const home = new Home(program.process.account);
    change(home);
    const before = home.names().join();
    const folder = privateFolder({ HOME: home.path }, 'linux', process.geteuid?.());
    const isUsed = folder !== undefined;
    const isChanged = before !== home.names().join();
    home.remove();
    if (isUsed !== (expected === 'used') || (isChanged && !isUsed))
      throw model.fail('machine', `compiled code is ${folder} where its folder is ${what}`);
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
    await turn();
  };

  /** A pause in which started programs end first: nobody knows how long they take. */
  readonly patientSleep = async (milliseconds: number): Promise<void> => {
    while (process.getActiveResourcesInfo().includes('ProcessWrap')) await turn();
    await this.sleep(milliseconds);
  };
}

/** Node's next turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => void globalThis.setImmediate(resolve));
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
    keychains.stores.clear();
    keychains.isLocked = false;
    home.remove();
  }
}

async function mistakeIn(
  program: Program,
  home: Home,
  { scene, clock }: { readonly scene: Scene; readonly clock: Clock },
): Promise<string | null> {
  const sent: Sent[] = [];
  const proxy = scene.proxy === undefined ? null : await startProxy(scene.proxy);
  home.proxy = proxy?.host ?? null;
  const service = scene.service === undefined ? null : await startService(scene.service, home);
  home.service = service?.host ?? null;
  const { signal, killed, arrive } = signals();
  const onCreate = scene.signal === undefined ? null : arrive.bind(null, scene.signal);
  const { says = (text: string) => text, isAnswered = false } = scene;
  const line = { sent, isBroken: proxy !== null, onCreate, isAnswered, says };
  wire.open = (options, url) => streamOf(program, line, options, url);
  const env = Object.entries(scene.env?.(home) ?? {}).map(
    ([name, value]) => [name, home.filled(value)] as const,
  );
  const run = async (args: readonly string[]) => {
    const printed = await runCommandLine(program, args.map(home.filled), {
      ...(scene.input === undefined ? {} : { input: home.filled(scene.input) }),
      env: { HOME: home.path, TERM: 'dumb', NO_COLOR: '1', ...Object.fromEntries(env) },
      time: { now: () => EPOCH + clock.now(), monotonic: clock.now, sleep: clock.patientSleep, signal },
      wiring: createContext,
      onWrite: (_, text) => {
        const [, url] = /"url":"([^"]+)"/.exec(text) ?? [];
        if (url !== undefined) void callAll(url, scene.calls ?? [], home).then(() => arrive('SIGINT'));
        return null;
      },
      ...(scene.asked === undefined ? {} : { prompter: agreeing(() => scene.asked?.(home)) }),
    });
    loseOtherKeychains();
    return printed;
  };
  for (const args of scene.first ?? []) {
    const { exitCode, stdout, stderr } = await run(args);
    home.order = /"order":"(\w+)"/.exec(stdout)?.[1] ?? null;
    if (exitCode !== 0) return `\`${args.join(' ')}\` ends with ${exitCode}: ${stderr}`;
  }
  scene.change?.(home);
  sent.length = 0;
  const there = home.names();
  const { during } = scene;
  const forget = during === undefined ? null : beforeWriting(() => during(home));
  const [printed] = await Promise.all([
    Promise.race([run(scene.args), killed]),
    scene.alsoRun === undefined ? null : run(scene.alsoRun),
  ]);
  forget?.();
  await proxy?.close();
  await service?.close();
  if (printed === null) return `${scene.signal} ends it at once`;
  return (
    mistakeInOutput(scene, home, printed) ??
    mistakeInRequests(scene, sent) ??
    home.mistake(there, secretsOf(scene, home)) ??
    (await scene.mistake?.(home, printed)) ??
    null
  );
}

/** Signals to a command line; one that it does not handle kills it. */
function signals() {
  const source = new EventEmitter();
  const { signal } = abortBySignals(source);
  let kill = (): void => undefined;
  const killed = new Promise<null>((resolve) => {
    kill = () => resolve(null);
  });
  let hasArrived = false;
  const arrive = (name: NodeJS.Signals) => {
    if (!hasArrived && !source.emit(name, name)) kill();
    hasArrived = true;
  };
  return { signal, killed, arrive };
}

/** What no one may see. */
function secretsOf({ secrets = [] }: Scene, { account }: Home): readonly string[] {
  return [account.credentials.secret, ...secrets];
}

function mistakeInOutput(scene: Scene, home: Home, { exitCode, stdout, stderr }: Printed): string | null {
  const text = `${stdout}${stderr}`;
  if (exitCode !== scene.exitCode) return `ends with ${exitCode}: ${text}`;
  const { prints = '', isSilent = false, creates = 0 } = scene;
  if (!(typeof prints === 'string' ? text.includes(home.filled(prints)) : prints.test(text)))
    return `says ${text}`;
  if (isSilent && exitCode !== 0 && stdout !== '') return `prints ${stdout}`;
  if (creates === 0 && /"outcome":"(unknown|done)"/.test(text))
    return `does not say that nothing was sent: ${text}`;
  return secretsOf(scene, home).some((secret) => text.includes(secret)) ? `shows a secret: ${text}` : null;
}

function mistakeInRequests({ isSilent = false, creates = 0 }: Scene, sent: readonly Sent[]): string | null {
  const endpoints = sent.map(({ endpoint }) => endpoint);
  const sentCreates = endpoints.filter((endpoint) => endpoint === 'create-transaction').length;
  if (sentCreates !== creates) return `sends ${sentCreates} creates`;
  if (isSilent && sent.length > 0) return `sends ${endpoints.join(', ')}`;
  const exposed = sent.find(({ isExposed }) => isExposed);
  return exposed === undefined ? null : `sends ${exposed.endpoint} where others see its signature`;
}

/** Somebody who agrees to everything; something happens before each answer. */
function agreeing(happens: () => void): Prompter {
  const confirm = async () => {
    happens();
    return true;
  };
  return { ...NO_ONE, confirm };
}

/** Has something happen once, before the configuration is written; returns what forgets it. */
function beforeWriting(work: () => void): () => void {
  const own = Object.getOwnPropertyDescriptor(Conf.prototype, 'store') ?? {};
  const forget = () => void Object.defineProperty(Conf.prototype, 'store', own);
  Object.defineProperty(Conf.prototype, 'store', {
    ...own,
    set(this: unknown, content: unknown) {
      forget();
      work();
      own.set?.call(this, content);
    },
  });
  return forget;
}
