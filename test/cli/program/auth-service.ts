import { join } from 'node:path';
import { expect } from 'vitest';
import { ENDPOINT_NAMES } from '../../../src/core/partner-api/endpoints.ts';
import { sign } from '../../../src/core/partner-api/signature.ts';
import { folderOfFile, temporaryFolder } from '../../helpers/home.ts';
import type { Run } from '../../helpers/run.ts';
import type { RanHere } from '../../helpers/run-here.ts';
import { runMain } from '../../helpers/run-main.ts';
import { startHere } from '../../sandbox/start-here.ts';

/** A partner of the service. */
export interface Partner {
  readonly name: string;
  readonly publicKey: string;
  readonly secret: string;
}

/** A home of its own, and runs there that are searched for every secret. */
export interface Person {
  readonly home: string;
  /** Path of the configuration. */
  readonly config: string;
  swapctl(args: string, options?: { input?: string; env?: Record<string, string> }): Promise<Run>;
  /** `auth login` with all that it asks for, as JSON. */
  login(profile: string, partner: Partner, flags?: string, env?: Record<string, string>): Promise<Run>;
}

/** A `sandbox start` with two partners, whose own home is not that of its clients. */
export interface AuthService {
  readonly url: string;
  readonly first: Partner;
  readonly second: Partner;
  /** Runs are in this process unless `run` makes them processes. */
  person(run?: typeof runMain): Promise<Person>;
  /** Ends the service, and gives all that it wrote. */
  stop(): Promise<RanHere>;
}

/** Starts a service. */
export async function startAuthService(): Promise<AuthService> {
  const home = await folderOfFile();
  const { url, stop } = await startHere(home);
  await runMain(['sandbox', 'partner', 'add', 'second'], { home });
  const list = (await runMain(['sandbox', 'partner', 'list', '--json'], { home })).json<Partner[]>();
  const [first, second] = list as [Partner, Partner];
  const person = async (run = runMain): Promise<Person> => {
    const home = await temporaryFolder();
    const swapctl: Person['swapctl'] = async (args, options = {}) => {
      const ran = await run(args.split(' '), { home, ...options });
      expectNoSecret(`${ran.stdout}${ran.stderr}`, [first, second]);
      return ran;
    };
    const login: Person['login'] = (profile, { publicKey, secret }, flags = '', env = {}) =>
      swapctl(
        `auth login -p ${profile} --base-url ${url} --public-key ${publicKey} --with-secret --json${flags}`,
        { input: `${secret}\n`, env },
      );
    return { home, config: join(home, '.config/swapctl/config.json'), swapctl, login };
  };
  return { url, first, second, person, stop };
}

/** Fails where a text has a partner's secret or one of its signatures. */
export function expectNoSecret(text: string, partners: readonly Partner[]): void {
  for (const { secret } of partners)
    for (const hidden of [secret, ...ENDPOINT_NAMES.map((name) => sign(name, secret))])
      expect(text.toLowerCase()).not.toContain(hidden.toLowerCase());
}
