import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { isWindows } from '../../files.ts';
import type { KeyPair } from '../../settings/profile.ts';
import {
  checkBaseUrl,
  checkCredentials,
  defaultEnvironment,
  SANDBOX_PROFILE,
} from '../../settings/profile.ts';
import type { Environment } from '../../swap/swap.ts';
import { readSecret } from '../../terminal/stdin.ts';
import { shown } from '../../text.ts';
import type { ProfileResult } from '../../views/profile.ts';
import { profileView } from '../../views/profile.ts';
import { problemOf } from '../shared/problem.ts';
import { withoutBlanks } from '../shared/trimmed.ts';
import { prove, storedResult } from './key-pair.ts';
import { confirmReplacing, newName, warnOfEnvironment, warnOfOddSecret } from './questions.ts';

/** Parsed arguments of `swapctl auth login`; null is asked for. */
export interface LoginOptions {
  readonly name: string | null;
  readonly baseUrl: string | null;
  readonly publicKey: string | null;
  /** The secret comes on standard input. */
  readonly withSecret: boolean;
  readonly environment: Environment | null;
  /** The secret goes into the system's keychain instead of the file. */
  readonly keychain: boolean;
  /** Replaces a stored key pair without a question. */
  readonly yes: boolean;
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
  const pair: KeyPair = {
    baseUrl,
    publicKey,
    secret,
    environment: options.environment ?? defaultEnvironment(baseUrl),
  };
  const { keychain } = options;
  await confirmReplacing(context, name, pair, options);
  await prove(context, { kind: 'remote', name, source: '', ...pair });
  const left = await settings.save(name, pair, keychain);
  if (left !== null) await streams.warn(`${left.message} ${left.hint ?? ''}`);
  const stored = keychain ? { ...pair, secret: null } : pair;
  const result = storedResult(name, stored, context, name === (await settings.current()));
  streams.note(storedNote(context, result));
  await warnOfEnvironment(context, name);
  await streams.print(profileView({ ...result, verified: true, state: 'verified' }));
}

/** Says where the pair and its secret lie now. */
function storedNote({ settings }: Context, { name, secret }: ProfileResult): string {
  const { configFile, platform } = settings.paths;
  const alone = isWindows(platform) ? '' : ', readable by you alone';
  const where = secret.plainText
    ? `, where the secret lies in plain text${alone}.`
    : `; its secret lies in ${secret.place}.`;
  const used =
    settings.deciding.length > 0
      ? ''
      : ` Commands use it from now on; \`swapctl auth switch ${SANDBOX_PROFILE}\` goes back to the sandbox.`;
  return `Stored as profile ${name} in ${configFile}${where}${used}`;
}
