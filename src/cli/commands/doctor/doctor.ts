import type { Command } from 'commander';
import { refuseDebugOutput } from '../../../base/environment.ts';
import { attempt, attemptSync, SwapctlError } from '../../../base/errors.ts';
import type { PageCheck } from '../../../core/database/database.ts';
import { createRedactor } from '../../../core/partner-api/redaction.ts';
import type { Credentials } from '../../../core/partner-api/signature.ts';
import { environmentWord } from '../../../core/swap/swap.ts';
import { startInMemory } from '../../../sandbox/built-in.ts';
import { inspectSandbox } from '../../../sandbox/state/initialize.ts';
import type { Context } from '../../context.ts';
import { credentialsOf, type Profile, profileHost, type RemoteProfile } from '../../settings/profile.ts';
import { isOn } from '../../terminal/environment.ts';
import { withProgress } from '../../terminal/progress.ts';
import { type Flags, readFlags } from '../shared/arguments.ts';
import { placeOfSecret } from '../shared/secret-place.ts';
import { clockCheck, keyPairCheck, proxyCheck, secretCheck, tlsCheck } from './connection.ts';
import { asker, callEndpoints, endpointChecks, type Target } from './endpoints.ts';
import { ledgerCheck, modesCheck, policyCheck, settingsCheck, uncheckedNote } from './storage.ts';
import { allWell, Checks, type DoctorCheck, doctorView, fail, notChecked, ok, warn } from './view.ts';

export function doctorCommand(command: Command, context: () => Context): void {
  command
    .description(
      'Check settings, files, key pair, signature, network, clock and terminal. Each failed check lists a fix; nothing is changed.\nExits with 1 if a check failed.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl doctor\n  $ swapctl doctor -p prod\n  $ swapctl doctor --deep\n  $ swapctl doctor --json | jq -r \'.checks[] | select(.state == "fail") | .remedy\'',
    )
    .option('--deep', 'read every page of the ledger and the sandbox, even in files over 100 MB')
    .action((flags: Flags) => runDoctor(context(), flags));
}

/** Runs and prints every check; throws if one failed. Changes nothing. */
async function runDoctor(context: Context, flags: Flags): Promise<void> {
  const checks = await everyCheck(context, readFlags(flags).on('deep') ? 'deep' : 'quick');
  await context.streams.print(doctorView(checks));
  if (allWell(checks)) return;
  const bad = checks.filter(({ state }) => state === 'fail').map(({ name }) => name);
  throw new SwapctlError('internal', `${bad.length} of ${checks.length} checks failed: ${bad.join(', ')}.`, {
    hint: 'See the fix next to each failed check.',
    actions: [],
  });
}

async function everyCheck(context: Context, pages: PageCheck): Promise<DoctorCheck[]> {
  const env = context.settings.childEnv;
  const checks = new Checks();
  const profile = await attempt(() => context.profile());
  const known = profile instanceof SwapctlError ? null : profile;
  const node = await checks.guarded('node', () => {
    refuseDebugOutput(env);
    return nodeCheck(process.versions.node, `${process.platform} ${process.arch}`);
  });
  // First, because files with the wrong permissions make other checks fail.
  const modes = await checks.guarded('modes', () => modesCheck(context, known, checks));
  const storage = [
    await checks.guarded('settings', () => settingsCheck(context, checks)),
    modes,
    await checks.guarded('ledger', () => ledgerCheck(context, pages)),
    ...(known === null ? [] : await guardedPolicy(context, checks)),
    ...(known?.kind === 'built-in'
      ? [await checks.guarded('sandbox', () => sandboxCheck(context, pages))]
      : []),
  ];
  const service =
    profile instanceof SwapctlError
      ? [checks.failed('profile', profile), ...notAsked('there is no usable profile')]
      : await serviceChecks(context, profile, checks);
  return [node, terminalCheck(context), ...storage, ...service];
}

/** The check of the policy, where there is anything to check; what keeps the ledger from being read is reported with that. */
async function guardedPolicy(context: Context, checks: Checks): Promise<DoctorCheck[]> {
  const found = await attempt(() => policyCheck(context));
  if (!(found instanceof SwapctlError)) return found === null ? [] : [found];
  return [checks.failed('policy', found)].filter(({ state }) => state === 'fail');
}

async function sandboxCheck({ settings }: Context, pages: PageCheck): Promise<DoctorCheck> {
  const facts = await inspectSandbox(settings.paths.sandboxFile, pages);
  const { displayName, version } = facts;
  const state = version === null ? 'none yet' : `version ${version}${uncheckedNote(facts)}`;
  return ok('sandbox', `${displayName}: ${state}`);
}

async function serviceChecks(context: Context, profile: Profile, checks: Checks): Promise<DoctorCheck[]> {
  const { name, environment } = profile;
  const who = `${name} · ${environmentWord(environment)} · ${profileHost(profile)}`;
  const found = await attempt(() =>
    profile.kind === 'remote'
      ? remoteChecks(context, profile, who, checks)
      : builtInChecks(context, who, checks),
  );
  if (!(found instanceof SwapctlError)) return found;
  return [checks.failed('profile', found), ...notAsked('the service could not be checked')];
}

async function builtInChecks(context: Context, who: string, checks: Checks): Promise<DoctorCheck[]> {
  // A temporary sandbox in memory: no database is changed or created.
  const sandbox = await startInMemory({ now: context.now });
  try {
    const { url: baseUrl, credentials } = sandbox;
    const own = [
      ok('profile', who),
      secretCheck(credentials.secret, { place: 'the built-in service', plainText: true }, false),
    ];
    return await askEverything(context, { baseUrl, credentials, proxy: null }, own, checks);
  } finally {
    await sandbox.close();
  }
}

async function remoteChecks(context: Context, profile: RemoteProfile, who: string, checks: Checks) {
  const { baseUrl, publicKey, trimmed = [] } = profile;
  const known = ok('profile', `${who} · public key ${publicKey}`);
  const secret = await attempt(() => context.settings.secretOf(profile));
  if (secret instanceof SwapctlError)
    return [known, checks.failed('secret', secret), ...notAsked('the secret could not be read', ['secret'])];
  const own = [known, secretCheck(secret, placeOfSecret(profile), trimmed.includes('secret'))];
  const redacted = cleaner({ publicKey, secret });
  const proxy = await attempt(() => context.proxyFor(baseUrl));
  if (proxy instanceof SwapctlError) {
    const bad = checks.failed('proxy', proxy);
    return [...own, bad, ...notAsked('the proxy cannot be used', ['secret', 'proxy'])].map(redacted);
  }
  // NODE_DEBUG would print each request with its signature; the check `node` reports it.
  if (attemptSync(() => refuseDebugOutput(context.settings.childEnv)) instanceof SwapctlError)
    return [...own, ...notAsked('NODE_DEBUG is set', ['secret'])].map(redacted);
  return askEverything(context, { baseUrl, credentials: credentialsOf(profile, secret), proxy }, own, checks);
}

async function askEverything(
  context: Context,
  target: Target,
  own: readonly DoctorCheck[],
  checks: Checks,
): Promise<DoctorCheck[]> {
  const env = context.settings.childEnv;
  const answers = await withProgress(context.streams, 'Checking the service', () =>
    callEndpoints(asker(context, target)),
  );
  const asked = Object.values(answers);
  return [
    ...own,
    proxyCheck(target.proxy, asked, env, checks),
    tlsCheck(target.baseUrl, asked, env, checks),
    keyPairCheck(asked, target.credentials, checks),
    ...endpointChecks(answers, checks),
    clockCheck(asked),
  ].map(cleaner(target.credentials));
}

/** Redacts the secret and its signatures in a check: a service may echo what it received. */
function cleaner(credentials: Credentials): (check: DoctorCheck) => DoctorCheck {
  const redact = createRedactor(credentials);
  return (check) => ({
    ...check,
    detail: redact(check.detail, true),
    remedy: check.remedy === null ? null : redact(check.remedy, true),
  });
}

const SERVICE_CHECKS = [
  'secret',
  'proxy',
  'tls',
  'key-pair',
  'get-all-coins',
  'get-coin-network',
  'exchange-coin',
  'get-transaction',
  'clock',
] as const;

/** The checks that need an answer, as ones that could not run. */
function notAsked(why: string, done: readonly string[] = []): DoctorCheck[] {
  return SERVICE_CHECKS.filter((name) => !done.includes(name)).map((name) => notChecked(name, why));
}

/** The oldest supported version of Node, as in package.json. */
const MIN_NODE = [20, 19] as const;

export function nodeCheck(version: string, platform: string): DoctorCheck {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const found = `Node ${version} on ${platform}`;
  const [wanted, wantedMinor] = MIN_NODE;
  if (major > wanted || (major === wanted && minor >= wantedMinor)) return ok('node', found);
  return fail('node', found, `Install Node ${wanted}.${wantedMinor} or newer: https://nodejs.org`);
}

/** Checks whether the terminal allows questions, and what it can display. */
function terminalCheck({ streams, settings }: Context): DoctorCheck {
  const env = settings.childEnv;
  const out = streams.raw.stdout.isTTY === true;
  const detail = [
    out ? `standard output is a terminal of ${streams.width} columns` : 'standard output is not a terminal',
    streams.interactive ? 'prompts are enabled' : `prompts are disabled: ${whyNotAsked(streams, env)}`,
  ].join('; ');
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  if (out && /^(?:C|POSIX)$/.test(locale))
    return warn(
      'terminal',
      `${detail}; the locale ${locale} supports only ASCII`,
      'For QR codes and symbols, set a UTF-8 locale: export LC_ALL=C.UTF-8',
    );
  if (out && env['TERM'] === 'dumb')
    return warn(
      'terminal',
      `${detail}; TERM=dumb: no colour and no live updates`,
      'Set TERM to the type of your terminal, such as xterm-256color.',
    );
  return ok('terminal', detail);
}

function whyNotAsked({ raw }: Context['streams'], env: NodeJS.ProcessEnv): string {
  if (isOn(env['SWAPCTL_NO_INPUT'])) return 'SWAPCTL_NO_INPUT is set';
  if (isOn(env['CI'])) return 'CI is set';
  if (raw.stdin.isTTY !== true) return 'standard input is not a terminal';
  return raw.stderr.isTTY === true ? '--no-input was passed' : 'standard error is not a terminal';
}
