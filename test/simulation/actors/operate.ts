import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import Conf from 'conf';
import { privateFolder } from '../../../bin/compile-cache.js';
import type { Prompter } from '../../../src/cli/terminal/questions.ts';
import { createContext } from '../../../src/cli/wiring.ts';
import type { EndpointName } from '../../../src/core/partner-api/endpoints.ts';
import { abortBySignals } from '../../../src/main.ts';
import { simulated } from '../stand-ins/clock.ts';
import { type GotOptions, wire } from '../stand-ins/got.ts';
import { keychains, loseOtherKeychains } from '../stand-ins/keyring.ts';
import { machine } from '../stand-ins/open.ts';
import { Home } from '../world/machine/home.ts';
import { SCENES } from '../world/machine/machine.ts';
import { COMPILED_FOLDERS } from '../world/machine/programs.ts';
import type { Call, Scene } from '../world/machine/scene.ts';
import { EPOCH } from '../world/process.ts';
import type { Program } from '../world/world.ts';
import { answerOf } from './client.ts';
import { NO_ONE, runCommandLine } from './command-line.ts';
import type { Errand } from './desk.ts';

/** Runs command lines on a real machine: only its sockets, keychain and time are not real. */
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
  const signals = new EventEmitter();
  const { signal } = abortBySignals(signals);
  let kill = (): void => undefined;
  const killed = new Promise<null>((resolve) => {
    kill = () => resolve(null);
  });
  let hasArrived = false;
  const arrive = (name: NodeJS.Signals) => {
    if (!hasArrived && !signals.emit(name, name)) kill();
    hasArrived = true;
  };
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
    scene.also === undefined ? null : run(scene.also),
  ]);
  forget?.();
  await proxy?.close();
  await service?.close();
  if (printed === null) return `${scene.signal} ends it at once`;
  const text = `${printed.stdout}${printed.stderr}`;
  if (printed.exitCode !== scene.exitCode) return `ends with ${printed.exitCode}: ${text}`;
  const { said = '' } = scene;
  if (!(typeof said === 'string' ? text.includes(home.filled(said)) : said.test(text))) return `says ${text}`;
  const creates = sent.filter(({ endpoint }) => endpoint === 'create-transaction').length;
  if (creates !== (scene.creates ?? 0)) return `sends ${creates} creates`;
  if (scene.isSilent === true && sent.length > 0)
    return `sends ${sent.map(({ endpoint }) => endpoint).join(', ')}`;
  if (scene.isSilent === true && printed.exitCode !== 0 && printed.stdout !== '')
    return `prints ${printed.stdout}`;
  if (creates === 0 && /"outcome":"(unknown|done)"/.test(text))
    return `does not say that nothing was sent: ${text}`;
  const exposed = sent.find(({ isExposed }) => isExposed);
  if (exposed !== undefined) return `sends ${exposed.endpoint} where others see its signature`;
  const secrets = [home.account.credentials.secret, ...(scene.secrets ?? [])];
  if (secrets.some((each) => text.includes(each))) return `shows a secret: ${text}`;
  return home.mistake(there, secrets) ?? (await scene.mistake?.(home, printed)) ?? null;
}

/** Somebody who agrees to everything, of which each time something happens first. */
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

/** A request that left swapctl. */
interface Sent {
  readonly endpoint: EndpointName;
  /** With any certificate, or in clear text to another machine. */
  readonly isExposed: boolean;
}

/** A proxy that opens no connection. */
async function startProxy(does: NonNullable<Scene['proxy']>) {
  const server = createServer();
  server.on('connect', (_, socket: Socket) => {
    if (does === 'hangs up') socket.destroy();
    else socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  return listen(server);
}

/** A service that answers every request in the same way. */
function startService({ headers, body }: NonNullable<Scene['service']>, { filled }: Home) {
  return listen(createServer((_, response) => void response.writeHead(200, headers).end(filled(body))));
}

async function listen(server: Server) {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => void server.close(resolve)),
  };
}

/** Sends requests, one after the other, each over a connection of its own. */
async function callAll(url: string, calls: readonly Call[], { filled }: Home): Promise<void> {
  for (const { path, headers, body } of calls) {
    const method = body === undefined ? 'GET' : 'POST';
    const sending = request(`${url}${filled(path)}`, { method, headers, agent: false }).end(body);
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
  }
}

/** The agents of hpagent; the types of Node do not have what opens a connection. */
interface ProxyAgent {
  readonly proxy?: URL;
  readonly options: { readonly rejectUnauthorized?: boolean };
  createConnection(options: object, callback: (error: Error | null) => void): void;
}

/** The way of requests to the service. */
interface Line {
  readonly sent: Sent[];
  /** Its proxy opens no connection for a create. */
  readonly isBroken: boolean;
  /** Happens in place of the answer to a create. */
  readonly onCreate: (() => void) | null;
  readonly isAnswered: boolean;
  readonly says: (text: string) => string;
}

/** The stream that got returns for a request. */
function streamOf(program: Program, line: Line, options: GotOptions, url: URL) {
  const { sent, isBroken, onCreate, isAnswered, says } = line;
  const stream = new PassThrough();
  const endpoint = url.pathname.split('/').at(-1) as EndpointName;
  const isSecure = url.protocol === 'https:';
  const agent = options.agent?.[isSecure ? 'https' : 'http'] as ProxyAgent | undefined;
  const isExposed = agent?.options.rejectUnauthorized === false || (!isSecure && agent?.proxy !== undefined);
  const query = Object.fromEntries(url.searchParams);
  const abort = () => stream.destroy(Object.assign(new Error('It is aborted.'), { name: 'AbortError' }));
  options.signal?.addEventListener('abort', abort);
  stream.once('close', () => options.signal?.removeEventListener('abort', abort));
  const answer = async () => {
    sent.push({ endpoint, isExposed });
    const { status, text, headers } = await answerOf(program, { endpoint, query, body: options.body ?? '' });
    if (isAnswered && endpoint === 'create-transaction') onCreate?.();
    if (endpoint !== 'create-transaction' || onCreate === null || isAnswered) {
      stream.emit('response', { statusCode: status, headers });
      return void stream.end(endpoint === 'get-transaction' ? says(text) : text);
    }
    const unanswered = new EventEmitter();
    stream.emit('request', unanswered);
    unanswered.emit('socket', new EventEmitter());
    onCreate();
  };
  if (!isBroken || endpoint !== 'create-transaction') void answer();
  else
    agent?.createConnection({ host: url.hostname, port: 443 }, (error) =>
      error === null ? void answer() : void stream.destroy(error),
    );
  return stream;
}
