import { SwapctlError } from '../errors.ts';
import { childEnvironment } from './environment.ts';
import { checkBaseUrl, checkCredentials, defaultEnvironment, ENV_PROFILE, type Profile } from './profile.ts';
import { secretFromCommand, secretFromFile } from './secret-sources.ts';

/** The variables that can hold or lead to the secret; the first that is set is used. */
const SECRET_NAMES = ['SWAPCTL_SECRET', 'SWAPCTL_SECRET_FILE', 'SWAPCTL_SECRET_COMMAND'] as const;

const ANY_SECRET = 'SWAPCTL_SECRET, SWAPCTL_SECRET_FILE or SWAPCTL_SECRET_COMMAND';

/** Source of a secret that a command printed, for people. */
export const COMMAND_SOURCE = 'the command of SWAPCTL_SECRET_COMMAND';

const ENV_NAMES = ['SWAPCTL_PUBLIC_KEY', ...SECRET_NAMES, 'SWAPCTL_BASE_URL'] as const;

/** The environment variables that select the profile before any stored choice. */
export function decidingNames(env: NodeJS.ProcessEnv): readonly string[] {
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
  if (missing.length > 0) {
    throw new SwapctlError('no_credentials', `The environment profile needs ${missing.join(' and ')}.`, {
      hint: 'Set it too, or unset all of them to use a stored profile or the sandbox.',
    });
  }
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
async function secretOf(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{
  readonly secret: string;
  readonly source: string;
  readonly variable: (typeof SECRET_NAMES)[number];
}> {
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
