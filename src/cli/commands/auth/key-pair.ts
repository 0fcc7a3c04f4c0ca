import { attempt, type ErrorCode, restated, SwapctlError, UsageError } from '../../../base/errors.ts';
import { shown, visible } from '../../../base/text.ts';
import { wrongPlaceHint } from '../../../core/client/error-mapping.ts';
import { checkBaseUrl } from '../../../core/partner-api/base-url.ts';
import { checkPublicKey, checkSecret, pastedOddities } from '../../../core/partner-api/key-pair.ts';
import type { Context } from '../../context.ts';
import {
  checkProfileName,
  type KeyPair,
  type Profile,
  type RemoteProfile,
  type StoredProfile,
} from '../../settings/profile.ts';
import { withProgress } from '../../terminal/progress.ts';
import type { ProfileResult } from '../../views/profile.ts';
import { confirmed, problemOf, withoutBlanks } from '../shared/questions.ts';
import { placeOfSecret } from '../shared/secret-place.ts';

/** Checks a key pair with the cheapest signed read; throws if the service does not accept it. */
export async function prove(context: Context, profile: Profile): Promise<void> {
  const { client } = await context.serviceFor(profile);
  try {
    await withProgress(context.streams, 'Checking the key pair', () => client.coins(1, 1));
  } catch (error) {
    throw profile.kind === 'remote' && error instanceof SwapctlError && NO_SERVICE.has(error.code)
      ? restated(error, error.message, { hint: wrongPlaceHint(profile.baseUrl) })
      : error;
  }
}

/** Codes of a listing at a base URL that does not belong to the service. */
const NO_SERVICE: ReadonlySet<ErrorCode> = new Set(['not_found', 'bad_response'] as const);

/** A profile for display, without reading the keychain or calling the service. */
export function profileResult(profile: RemoteProfile, current: boolean): ProfileResult {
  const { name, baseUrl, publicKey, environment } = profile;
  const secret = placeOfSecret(profile);
  return { name, current, environment, baseUrl, publicKey, secret, verified: null, state: 'unchecked' };
}

/** A stored profile with its name and its file. */
export function storedProfile({ settings }: Context, name: string, stored: StoredProfile): RemoteProfile {
  return { kind: 'remote', name, source: settings.paths.configFile, ...stored };
}

export type LoginAnswers = Pick<KeyPair, 'baseUrl' | 'publicKey' | 'secret'>;

/** A command line that logs in without questions. */
export const LOGIN_LINE =
  'swapctl auth login -p <name> --base-url <url> --public-key <key> --with-secret < secret-file';

/** Asks one question of `auth login`; a wrong base URL is offered again for correction. */
export async function askFor(context: Context, wanted: keyof LoginAnswers, before?: LoginAnswers) {
  const { prompter } = context;
  if (wanted === 'baseUrl') {
    const answer = await prompter.input({
      message: shown`Base URL of the partner API`,
      validate: (text) => problemOf(() => checkBaseUrl(text)),
      ...(before === undefined ? {} : { default: before.baseUrl }),
    });
    return checkBaseUrl(answer);
  }
  if (wanted === 'publicKey') {
    const validate = (text: string) => problemOf(() => checkPublicKey(text.trim()));
    const answer = await prompter.input({ message: shown`Public key`, validate });
    return withoutBlanks(context, 'public key', answer);
  }
  const validate = (text: string) => problemOf(() => checkSecret(text.trim()));
  const answer = await prompter.password({ message: shown`Secret`, validate });
  const secret = withoutBlanks(context, 'secret', answer);
  if (before !== undefined) await warnOfOddSecret(context, secret);
  return secret;
}

/** Name for a new profile: `default` for the first; later ones are asked for, so that none is replaced by accident. */
export async function newName({ streams, prompter, settings }: Context, canAsk: boolean): Promise<string> {
  const stored = await settings.names();
  if (stored.length === 0) return FIRST_PROFILE;
  if (!streams.interactive || !canAsk)
    throw new UsageError(
      `Name the new profile with -p; ${stored.join(', ')} already ${stored.length === 1 ? 'exists' : 'exist'}.`,
      LOGIN_LINE,
    );
  return prompter.input({
    message: visible(`Name of the new profile (existing: ${stored.join(', ')})`),
    validate: (text) => problemOf(() => checkProfileName(text)),
  });
}

const FIRST_PROFILE = 'default';

/**
 * Asks before a stored key pair is replaced, since its secret would be lost, and before a secret leaves the keychain
 * for plain text. True once a person has agreed, false if nothing would be lost.
 */
export async function confirmReplacing(context: Context, name: string, wanted: KeyPair, keychain: boolean) {
  const entry = (await context.settings.list()).find((each) => each.name === name);
  if (entry === undefined) return false;
  const { profile } = entry;
  if (!(profile instanceof SwapctlError)) {
    if (profile.secret === null && !keychain)
      return confirmLosing(
        context,
        `Move the secret of profile ${name} from the keychain to ${context.settings.paths.configFile}, in plain text?`,
        `The secret of profile ${name} is in the keychain.`,
        'Pass --keychain to keep it there, --yes to store it in plain text, or use another name.',
      );
    if (await isSamePair(context, name, profile, wanted)) return false;
  }
  return confirmLosing(
    context,
    `Replace the key pair of profile ${name}${atHost(profile)}?`,
    `Profile ${name} already has a key pair.`,
    'Pass --yes to replace it, or use another name.',
  );
}

async function isSamePair({ settings }: Context, name: string, stored: StoredProfile, wanted: KeyPair) {
  if (stored.publicKey !== wanted.publicKey || stored.baseUrl !== wanted.baseUrl) return false;
  // A secret that cannot be read may be another one.
  const secret = await attempt(() => settings.secretOf({ kind: 'remote', name, source: '', ...stored }));
  return secret === wanted.secret;
}

/** Host of a stored profile as part of a question; empty for one that cannot be used. */
export function atHost(profile: StoredProfile | SwapctlError): string {
  return profile instanceof SwapctlError ? '' : ` at ${new URL(profile.baseUrl).host}`;
}

/** Asks before a stored key pair is lost. Throws `declined`, or UsageError with `why` and `hint` without a terminal. */
export async function confirmLosing(context: Context, question: string, why: string, hint: string) {
  if (!context.streams.interactive) throw new UsageError(why, hint);
  await confirmed(context, question, 'nothing was changed');
  return true;
}

/** Warns that environment variables select another profile than the one just stored or chosen. */
export async function warnOfEnvironment({ streams, settings }: Context, name: string): Promise<void> {
  const { deciding } = settings;
  const used = await settings.current();
  if (deciding.length === 0 || used === name) return;
  const them = deciding.length === 1 ? 'it' : 'them';
  await streams.warn(
    `the environment takes precedence: with ${deciding.join(', ')} set, commands use profile ${used}. Unset ${them} to use profile ${name}.`,
  );
}

/** Warns that a secret contains characters that pasting often adds, before the service is asked. */
export async function warnOfOddSecret({ streams }: Context, secret: string): Promise<void> {
  const odd = pastedOddities(secret);
  if (odd.length > 0) await streams.warn(`the secret has ${odd.join(' and ')}; swapctl uses it as it is.`);
}
