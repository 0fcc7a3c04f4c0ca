import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { SwapctlError, UsageError } from '../../errors.ts';
import { COMMAND_SOURCE } from '../../settings/env-profile.ts';
import type { Profile, StoredProfile } from '../../settings/profile.ts';
import {
  checkBaseUrl,
  checkCredentials,
  checkProfileName,
  defaultEnvironment,
  ENV_PROFILE,
  SANDBOX_PROFILE,
} from '../../settings/profile.ts';
import type { Environment } from '../../swap/swap.ts';
import { withProgress } from '../../terminal/progress.ts';
import { readSecret } from '../../terminal/stdin.ts';
import { shown, visible } from '../../text.ts';
import type { KeyPairState, ProfileResult } from '../../views/profile.ts';
import { profilesView, profileView } from '../../views/profile.ts';
import { problemOf } from '../shared/problem.ts';
import { withoutBlanks } from '../shared/trimmed.ts';
import {
  confirmLosing,
  confirmReplacing,
  newName,
  placeOf,
  warnOfEnvironment,
  warnOfOddSecret,
} from './questions.ts';

/** Parsed arguments of `swapctl auth login`; null is asked for. */
export interface LoginOptions {
  readonly name: string | null;
  readonly baseUrl: string | null;
  readonly publicKey: string | null;
  /** The secret comes on standard input. */
  readonly withSecret: boolean;
  readonly environment: Environment | null;
  /** Replaces a stored key pair without a question. */
  readonly yes: boolean;
}

/** Declares `swapctl auth` and its verbs. */
export function authCommand(auth: Command, context: () => Context, login = runLogin): void {
  auth.description('Store, check and choose key pairs. Each profile is one key pair at one base URL.');
  auth.helpCommand(false);
  auth
    .command('login')
    .description(
      'Store a key pair after one signed read has proved it. There is no flag that takes a secret.',
    )
    .option('--base-url <url>', 'base URL of the partner API, https:')
    .option('--public-key <key>', 'public key')
    .option('--with-secret', 'read the secret from standard input')
    .option(
      '--environment <environment>',
      'sandbox or live (default: loopback hosts are sandboxes, all others live)',
    )
    .option('-y, --yes', 'replace a stored key pair without a question')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl auth login -p prod --base-url https://api.example.com\n  $ pass show swap/prod | swapctl auth login -p prod --base-url https://api.example.com --public-key pk_1 --with-secret',
    )
    .action((flags: Record<string, unknown>) => {
      const started = context();
      const text = (name: string) => (typeof flags[name] === 'string' ? flags[name] : null);
      const environment = text('environment');
      if (environment !== null && environment !== 'sandbox' && environment !== 'live') {
        throw new UsageError('--environment is sandbox or live.');
      }
      const baseUrl = text('baseUrl');
      return login(started, {
        name: started.flags.profile === undefined ? null : checkProfileName(started.flags.profile),
        baseUrl: baseUrl === null ? null : checkBaseUrl(baseUrl),
        publicKey: text('publicKey'),
        withSecret: flags['withSecret'] === true,
        environment,
        yes: flags['yes'] === true,
      });
    });
  auth
    .command('logout')
    .description('Forget the key pair of a profile (-p, or the current one).')
    .option('-y, --yes', 'without a question')
    .addHelpText('after', '\nExamples:\n  $ swapctl auth logout -p old')
    .action((flags: Record<string, unknown>) => runLogout(context(), { yes: flags['yes'] === true }));
  auth
    .command('status')
    .description('Say which profile is used, where its secret lies, and whether the service takes it.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl auth status\n  $ swapctl auth status -p prod --json | jq .verified',
    )
    .action(() => runAuthStatus(context()));
  auth
    .command('list')
    .description(
      'List the stored profiles, and env where the environment makes one; the one in use is marked.',
    )
    .addHelpText('after', '\nExamples:\n  $ swapctl auth list')
    .action(() => runAuthList(context()));
  auth
    .command('switch')
    .description('Use another stored profile from now on; `sandbox` is the built-in service.')
    .argument('<profile>', 'name of a stored profile, or sandbox')
    .addHelpText('after', '\nExamples:\n  $ swapctl auth switch prod\n  $ swapctl auth switch sandbox')
    .action((name: string) => runSwitch(context(), name));
}

/** Stores a key pair once the service has taken it. */
export async function runLogin(context: Context, options: LoginOptions): Promise<void> {
  const { streams, prompter, settings } = context;
  const name = options.name ?? (await newName(context, !options.withSecret));
  const ask = async (
    value: string | null,
    flag: string,
    question: () => Promise<string>,
  ): Promise<string> => {
    if (value !== null) return value;
    if (streams.interactive && !options.withSecret) return question();
    throw new UsageError(
      `${flag} is missing.`,
      'swapctl auth login -p <name> --base-url <url> --public-key <key> --with-secret < secret-file',
    );
  };
  const baseUrl = await ask(options.baseUrl, '--base-url', async () =>
    checkBaseUrl(
      await prompter.input({
        message: shown`Base URL of the partner API`,
        validate: (text) => problemOf(() => checkBaseUrl(text)),
      }),
    ),
  );
  const pastedKey = await ask(options.publicKey, '--public-key', () =>
    prompter.input({ message: shown`Public key` }),
  );
  const pastedSecret = options.withSecret
    ? await readSecret(streams.raw.stdin, context.signal)
    : await ask(null, '--with-secret', () => prompter.password({ message: shown`Secret` }));
  const publicKey = withoutBlanks(context, 'public key', pastedKey);
  const secret = withoutBlanks(context, 'secret', pastedSecret);
  await warnOfOddSecret(context, secret);
  checkCredentials(publicKey, secret);
  const profile: StoredProfile = {
    baseUrl,
    publicKey,
    secret,
    environment: options.environment ?? defaultEnvironment(baseUrl),
  };
  await confirmReplacing(context, name, profile, options.yes);
  await prove(context, { kind: 'remote', name, source: '', ...profile });
  await settings.save(name, profile);
  const used =
    settings.deciding.length > 0
      ? ''
      : ` Commands use it from now on; \`swapctl auth switch ${SANDBOX_PROFILE}\` goes back to the sandbox.`;
  streams.note(
    `Stored as profile ${name} in ${settings.paths.configFile}, where the secret lies in plain text, readable by you alone.${used}`,
  );
  await warnOfEnvironment(context, name);
  const current = name === (await settings.current());
  await streams.print(
    profileView({ ...storedResult(name, profile, context, current), verified: true, state: 'verified' }),
  );
}

/** Proves a key pair by the cheapest signed read. */
async function prove(context: Context, profile: Profile): Promise<void> {
  const { client } = await context.serviceFor(profile);
  await withProgress(context.streams, 'Proving the key pair', () => client.coins(1, 1));
}

function storedResult(
  name: string,
  profile: StoredProfile,
  context: Context,
  current: boolean,
): ProfileResult {
  const { baseUrl, publicKey, environment } = profile;
  return {
    name,
    current,
    environment,
    baseUrl,
    publicKey,
    secret: { place: context.settings.paths.configFile, plainText: true },
    verified: null,
    state: 'unchecked',
  };
}

/** Forgets a profile's key pair. */
export async function runLogout(context: Context, { yes }: { readonly yes: boolean }): Promise<void> {
  // By its name alone: a profile that cannot be used is one to be forgotten.
  const name = await context.settings.profileName();
  if (name === SANDBOX_PROFILE)
    throw new UsageError(
      'The built-in sandbox needs no key pair, so there is none to forget.',
      'List the stored profiles with `swapctl auth list`.',
    );
  if (name === ENV_PROFILE) {
    throw new UsageError(
      `Profile ${name} is not stored; it comes from the environment.`,
      'Unset SWAPCTL_PUBLIC_KEY, SWAPCTL_SECRET and SWAPCTL_BASE_URL.',
    );
  }
  const entry = (await context.settings.list()).find((each) => each.name === name);
  if (entry !== undefined && !yes)
    await confirmLosing(
      context,
      `Forget the key pair of profile ${name}${placeOf(entry.profile)}?`,
      'forget it',
    );
  await context.settings.remove(name);
  await context.streams.print(
    messageView({ profile: name, removed: true }, `Forgot the key pair of profile ${name}.`),
  );
}

/** Tells the profile in use and whether the service takes its key pair; where it does not, the error follows. */
export async function runAuthStatus(context: Context): Promise<void> {
  const profile = await context.profile();
  const { streams } = context;
  const { name, environment } = profile;
  const result: Omit<ProfileResult, 'verified' | 'state'> = {
    ...{ name, current: name === (await currentName(context)), environment },
    ...(await keyPairOf(context, profile)),
  };
  const problem = await problemWith(context, profile);
  const state = problem === null ? 'verified' : stateAfter(problem);
  const verified = state === 'verified' ? true : state === 'refused' ? false : null;
  await streams.print(profileView({ ...result, verified, state }));
  if (problem !== null) throw problem;
}

/** What the service, or the way there, has against a key pair; null where it is taken. */
async function problemWith(context: Context, profile: Profile): Promise<SwapctlError | null> {
  try {
    await prove(context, profile);
    return null;
  } catch (error) {
    if (error instanceof SwapctlError && error.code !== 'interrupted') return error;
    throw error;
  }
}

function stateAfter({ httpStatus }: SwapctlError): KeyPairState {
  if (httpStatus === null) return 'unreachable';
  return httpStatus === 401 || httpStatus === 403 ? 'refused' : 'unproven';
}

async function keyPairOf(
  context: Context,
  profile: Profile,
): Promise<Pick<ProfileResult, 'baseUrl' | 'publicKey' | 'secret'>> {
  if (profile.kind === 'built-in') {
    const { publicKey } = (await context.service()).credentials;
    const secret = { place: context.settings.paths.sandboxFile, plainText: true };
    return { baseUrl: null, publicKey, secret };
  }
  const { baseUrl, publicKey } = profile;
  return { baseUrl, publicKey, secret: placeOfSecret(profile) };
}

function placeOfSecret({ source }: Extract<Profile, { kind: 'remote' }>): ProfileResult['secret'] {
  return { place: source, plainText: source !== COMMAND_SOURCE };
}

/** Lists the profiles, that of the environment first; the one that is used with no flag is marked. */
export async function runAuthList(context: Context): Promise<void> {
  const entries = await context.settings.list();
  const current = await context.settings.current();
  const results: ProfileResult[] = await environmentResult(context);
  for (const { name, profile } of entries) {
    if (profile instanceof SwapctlError)
      await context.streams.warn(`${profile.message} ${profile.hint ?? ''}`);
    else results.push(storedResult(name, profile, context, name === current));
  }
  await context.streams.print(profilesView(results));
  if (entries.length === 0 && results.length === 0)
    context.streams.note('No profile is stored; commands use the built-in sandbox.');
}

/** The environment's profile as a list of one; none where it makes none, or one that cannot be used, which is told. */
async function environmentResult({ settings, streams }: Context): Promise<ProfileResult[]> {
  try {
    const profile = await settings.fromEnvironment();
    if (profile?.kind !== 'remote') return [];
    const { name, environment, baseUrl, publicKey } = profile;
    const secret = placeOfSecret(profile);
    const known = { name, current: true, environment, baseUrl, publicKey, secret };
    return [{ ...known, verified: null, state: 'unchecked' }];
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    await streams.warn(`${error.message} ${error.hint ?? ''}`);
    return [];
  }
}

/** Name of the chosen profile; null where the configuration cannot be read, which must not hide one that needs none. */
async function currentName({ settings }: Context): Promise<string | null> {
  try {
    return await settings.current();
  } catch (error) {
    if (error instanceof SwapctlError) return null;
    throw error;
  }
}

/** Makes a stored profile, or the built-in sandbox, the one in use. */
export async function runSwitch(context: Context, name: string): Promise<void> {
  await context.settings.switchTo(name);
  const current = name === (await context.settings.current());
  const what = name === SANDBOX_PROFILE ? 'the built-in sandbox' : `profile ${name}`;
  const words = current ? `Commands use ${what} from now on.` : `The stored choice is ${what} from now on.`;
  await warnOfEnvironment(context, name);
  await context.streams.print(messageView({ profile: name, current }, words));
}

function messageView(result: Record<string, unknown>, words: string) {
  return { json: () => result, rows: () => [[words]], screen: () => visible(words) };
}
