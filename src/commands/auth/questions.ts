import type { Context } from '../../context.ts';
import { SwapctlError, UsageError } from '../../errors.ts';
import { pastedOddities } from '../../partner-api/secret-form.ts';
import type { KeyPair, StoredProfile } from '../../settings/profile.ts';
import { checkProfileName } from '../../settings/profile.ts';
import { visible } from '../../text.ts';
import { problemOf } from '../shared/problem.ts';

/** Name for a profile without one: `default` for the first, asked for after that, so that none is replaced unasked. */
export async function newName({ streams, prompter, settings }: Context, canAsk: boolean): Promise<string> {
  const stored = await settings.names();
  if (stored.length === 0) return FIRST_PROFILE;
  if (!streams.interactive || !canAsk) {
    throw new UsageError(
      `-p is missing: which profile is it, beside ${stored.join(', ')}?`,
      'swapctl auth login -p <name> --base-url <url> --public-key <key> --with-secret < secret-file',
    );
  }
  return prompter.input({
    message: visible(`Name of the profile (stored already: ${stored.join(', ')})`),
    validate: (text) => problemOf(() => checkProfileName(text)),
  });
}

const FIRST_PROFILE = 'default';

/**
 * Asks before a stored key pair is replaced, since its secret would be lost, and before a secret leaves the keychain for
 * plain text.
 */
export async function confirmReplacing(
  context: Context,
  name: string,
  wanted: KeyPair,
  { yes, keychain }: { readonly yes: boolean; readonly keychain: boolean },
): Promise<void> {
  const entry = (await context.settings.list()).find((each) => each.name === name);
  if (entry === undefined || yes) return;
  const { profile } = entry;
  if (!(profile instanceof SwapctlError)) {
    if (profile.secret === null && !keychain)
      return confirmLosing(
        context,
        `Take the secret of profile ${name} out of the keychain, and keep it in plain text in ${context.settings.paths.configFile}?`,
        'keep it in plain text',
        'Add --keychain to leave it there, --yes to keep it in plain text, or use another name.',
      );
    if (await isSamePair(context, name, profile, wanted)) return;
  }
  await confirmLosing(context, `Replace the key pair of profile ${name}${placeOf(profile)}?`, 'replace it');
}

async function isSamePair(
  { settings }: Context,
  name: string,
  stored: StoredProfile,
  wanted: KeyPair,
): Promise<boolean> {
  if (stored.publicKey !== wanted.publicKey || stored.baseUrl !== wanted.baseUrl) return false;
  try {
    return (await settings.secretOf({ kind: 'remote', name, source: '', ...stored })) === wanted.secret;
  } catch (error) {
    // A secret that cannot be read is not known to be the same.
    if (error instanceof SwapctlError) return false;
    throw error;
  }
}

/** Host of a stored profile as part of a question; empty for one that cannot be used. */
export function placeOf(profile: StoredProfile | SwapctlError): string {
  return profile instanceof SwapctlError ? '' : ` at ${new URL(profile.baseUrl).host}`;
}

/** Asks before a stored key pair is lost. Throws `declined`, or UsageError where nobody can be asked. */
export async function confirmLosing(
  { streams, prompter }: Context,
  question: string,
  what: string,
  hint = 'Add --yes, or use another name.',
): Promise<void> {
  if (!streams.interactive) {
    throw new UsageError(`A key pair is stored there, and nobody can be asked whether to ${what}.`, hint);
  }
  if (await prompter.confirm({ message: visible(question), default: false })) return;
  throw new SwapctlError('declined', 'Declined; nothing was changed.');
}

/** Warns that variables of the environment choose another profile than the one just stored or chosen. */
export async function warnOfEnvironment({ streams, settings }: Context, name: string): Promise<void> {
  const { deciding } = settings;
  const used = await settings.current();
  if (deciding.length === 0 || used === name) return;
  const them = deciding.length === 1 ? 'it' : 'them';
  await streams.warn(
    `the environment wins: with ${deciding.join(', ')} set, commands here use profile ${used}. Unset ${them} to use profile ${name}.`,
  );
}

/** Warns that a secret has something round it or in it that pasting often brings along, before the service is asked. */
export async function warnOfOddSecret({ streams }: Context, secret: string): Promise<void> {
  const odd = pastedOddities(secret);
  if (odd.length > 0)
    await streams.warn(`the secret has ${odd.join(' and ')}, which is taken as part of it.`);
}
