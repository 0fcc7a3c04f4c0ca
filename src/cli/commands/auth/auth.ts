import type { Command } from 'commander';
import { attempt, restated, SwapctlError, UsageError } from '../../../base/errors.ts';
import { isWindows } from '../../../base/files.ts';
import { ENV_PROFILE } from '../../../core/partner-api/key-pair.ts';
import type { Context } from '../../context.ts';
import { type Profile, SANDBOX_PROFILE } from '../../settings/profile.ts';
import { textView } from '../../terminal/streams.ts';
import { type KeyPairState, type ProfileResult, profilesView, profileView } from '../../views/profile.ts';
import type { Flags } from '../shared/arguments.ts';
import { placeOfSecret, windowsAccess } from '../shared/secret-place.ts';
import * as keyPair from './key-pair.ts';
import { loginOptions, runLogin } from './login.ts';

export function authCommand(auth: Command, context: () => Context, login = runLogin): void {
  auth.description('Store, check and choose key pairs. Each profile has one key pair and one base URL.');
  auth.helpCommand(false);
  auth
    .command('login')
    .description('Store a key pair once the service has accepted it. No flag takes a secret.')
    .option('--base-url <url>', 'base URL of the partner API')
    .option('--public-key <key>', 'public key')
    .option('--with-secret', 'read the secret from standard input')
    .option('--environment <environment>', 'sandbox or live (default: sandbox on a loopback host, else live)')
    .option('--keychain', 'store the secret in the system keychain')
    .option(
      '--support <contact>',
      "https URL or email address of the service's support, for `history support`",
    )
    .option('-y, --yes', 'replace a stored key pair without asking')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl auth login -p prod --base-url https://api.example.com\n  $ pass show swap/prod | swapctl auth login -p prod --base-url https://api.example.com --public-key pk_1 --with-secret\n  $ swapctl auth login -p prod --base-url https://api.example.com --keychain',
    )
    .action((flags: Flags) => login(context(), loginOptions(context(), flags)));
  auth
    .command('logout')
    .description('Remove the key pair of a profile (-p, or the current one).')
    .option('-y, --yes', 'skip the confirmation')
    .addHelpText('after', '\nExamples:\n  $ swapctl auth logout -p old')
    .action(({ yes = false }: { readonly yes?: boolean }) => runLogout(context(), { yes }));
  auth
    .command('status')
    .description('Show the current profile, where its secret is stored, and whether the service accepts it.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl auth status\n  $ swapctl auth status -p prod --json | jq .verified',
    )
    .action(() => runAuthStatus(context()));
  auth
    .command('list')
    .description('List the profiles and mark the current one; env is the one from environment variables.')
    .addHelpText('after', '\nExamples:\n  $ swapctl auth list')
    .action(() => runAuthList(context()));
  auth
    .command('switch')
    .description('Set the current profile; `sandbox` is the built-in service.')
    .argument('<profile>', 'name of a stored profile, or sandbox')
    .addHelpText('after', '\nExamples:\n  $ swapctl auth switch prod\n  $ swapctl auth switch sandbox')
    .action((name: string) => runSwitch(context(), name));
}

/** Removes a profile's key pair. */
export async function runLogout(context: Context, { yes }: { readonly yes: boolean }): Promise<void> {
  // Only by name: a profile that cannot be used must still be removable.
  const name = await context.settings.profileName();
  if (name === SANDBOX_PROFILE)
    throw new UsageError(
      'The built-in sandbox has no stored key pair.',
      'List the stored profiles with `swapctl auth list`.',
    );
  if (name === ENV_PROFILE)
    throw new UsageError(
      `Profile ${name} is not stored; it comes from the environment.`,
      'Unset SWAPCTL_PUBLIC_KEY, SWAPCTL_SECRET and SWAPCTL_BASE_URL.',
    );
  const entry = (await context.settings.list()).find((each) => each.name === name);
  // One that cannot be read may move money.
  const mayBeLive = entry?.profile instanceof SwapctlError || entry?.profile.environment === 'live';
  if (entry !== undefined && !yes && (context.streams.interactive || mayBeLive))
    await keyPair.confirmLosing(
      context,
      `Remove the key pair of profile ${name}${keyPair.atHost(entry.profile)}?`,
      `Removing the key pair of profile ${name} must be confirmed.`,
      'Pass --yes to remove it. Nothing was changed.',
    );
  const left = await context.settings.remove(name);
  if (left !== null)
    throw restated(left, `Profile ${name} was removed, but not its secret. ${left.message}`, {});
  await context.streams.print(
    textView({ profile: name, removed: true }, `Removed the key pair of profile ${name}.`),
  );
}

/** Prints the current profile and whether the service accepts its key pair; throws the error if it does not. */
export async function runAuthStatus(context: Context): Promise<void> {
  const profile = await context.profile();
  const { streams } = context;
  const { name, environment } = profile;
  // The configuration may be unreadable: the environment's profile and the sandbox do not need it.
  const current = name === (await attempt(() => context.settings.current()));
  const result = { name, current, environment, ...(await keyPairOf(context, profile)) };
  const { platform, configFolder } = context.settings.paths;
  if (isWindows(platform) && result.secret.plainText) streams.note(windowsAccess(configFolder));
  const proved = await attempt(() => keyPair.prove(context, profile));
  const problem = proved instanceof SwapctlError ? proved : null;
  const state = problem === null ? 'verified' : keyPairStateFor(problem);
  const verified = state === 'verified' ? true : state === 'refused' ? false : null;
  await streams.print(profileView({ ...result, verified, state }));
  if (problem !== null) throw problem;
}

function keyPairStateFor({ code, httpStatus }: SwapctlError): KeyPairState {
  if (code === 'no_credentials') return 'unreadable';
  if (httpStatus === null) return 'unreachable';
  return httpStatus === 401 || httpStatus === 403 ? 'refused' : 'unproven';
}

async function keyPairOf(context: Context, profile: Profile) {
  if (profile.kind === 'built-in') {
    const { publicKey } = (await context.service()).credentials;
    const secret = { place: context.settings.paths.sandboxFile, plainText: true };
    return { baseUrl: null, publicKey, secret };
  }
  const { baseUrl, publicKey } = profile;
  return { baseUrl, publicKey, secret: placeOfSecret(profile) };
}

/** Lists the profiles, the one of the environment first; the current one is marked. */
export async function runAuthList(context: Context): Promise<void> {
  const entries = await context.settings.list();
  const current = await context.settings.current();
  const results: ProfileResult[] = await environmentResult(context);
  for (const { name, profile } of entries) {
    if (profile instanceof SwapctlError)
      await context.streams.warn(`${profile.message} ${profile.hint ?? ''}`);
    else results.push(keyPair.profileResult(keyPair.storedProfile(context, name, profile), name === current));
  }
  await context.streams.print(profilesView(results));
  if (entries.length === 0 && results.length === 0)
    context.streams.note('No profile is stored; commands use the built-in sandbox.');
}

/** The environment's profile as a list of one; empty, with a warning, if it cannot be used. */
async function environmentResult({ settings, streams }: Context): Promise<ProfileResult[]> {
  const profile = await attempt(() => settings.fromEnvironment());
  if (profile instanceof SwapctlError) {
    await streams.warn(`${profile.message} ${profile.hint ?? ''}`);
    return [];
  }
  return profile?.kind === 'remote' ? [keyPair.profileResult(profile, true)] : [];
}

/** Makes a stored profile, or the built-in sandbox, the current one. */
export async function runSwitch(context: Context, name: string): Promise<void> {
  await context.settings.switchTo(name);
  const current = name === (await context.settings.current());
  const what = name === SANDBOX_PROFILE ? 'the built-in sandbox' : `profile ${name}`;
  const words = current ? `Commands now use ${what}.` : `Stored ${what} as the current profile.`;
  await keyPair.warnOfEnvironment(context, name);
  await context.streams.print(textView({ profile: name, current }, words));
}
