import {
  type ErrorCode,
  fullSentence,
  InterruptedError,
  restated,
  SwapctlError,
  UsageError,
} from '../../../base/errors.ts';
import { isWindows } from '../../../base/files.ts';
import { checkBaseUrl } from '../../../core/partner-api/base-url.ts';
import { checkCredentials, defaultEnvironment } from '../../../core/partner-api/key-pair.ts';
import type { Environment } from '../../../core/swap/swap.ts';
import type { Context } from '../../context.ts';
import { checkProfileName, checkSupport, type KeyPair, SANDBOX_PROFILE } from '../../settings/profile.ts';
import { readInput } from '../../terminal/input.ts';
import { type ProfileResult, profileView } from '../../views/profile.ts';
import { type Flags, readFlags } from '../shared/arguments.ts';
import { withoutBlanks } from '../shared/questions.ts';
import * as keyPair from './key-pair.ts';

/** Parsed arguments of `swapctl auth login`; null values are asked for. */
type LoginOptions = ReturnType<typeof loginOptions>;

/** Reads the flags of `swapctl auth login`. */
export function loginOptions({ flags: { profile } }: Context, flags: Flags) {
  const { text, on } = readFlags(flags);
  const [environment, baseUrl, support] = [text('environment'), text('baseUrl'), text('support')];
  if (environment !== null && environment !== 'sandbox' && environment !== 'live')
    throw new UsageError('--environment must be sandbox or live.');
  return {
    name: profile === undefined ? null : checkProfileName(profile),
    baseUrl: baseUrl === null ? null : checkBaseUrl(baseUrl),
    publicKey: text('publicKey'),
    withSecret: on('withSecret'),
    environment: environment as Environment | null,
    support: support === null ? null : checkSupport(support),
    keychain: on('keychain'),
    yes: on('yes'),
  };
}

/** Stores a key pair once the service has accepted it. At a terminal, a question with a wrong answer is asked again. */
export async function runLogin(context: Context, options: LoginOptions): Promise<void> {
  const { streams, settings } = context;
  const { keychain } = options;
  const canAsk = streams.interactive && !options.withSecret;
  const name = options.name ?? (await keyPair.newName(context, canAsk));
  let answers = await firstAnswers(context, options, canAsk);
  let mayReplace = options.yes;
  for (;;) {
    const pair = pairOf(answers, options);
    if (!mayReplace) mayReplace = await keyPair.confirmReplacing(context, name, pair, keychain);
    try {
      await keyPair.prove(context, { kind: 'remote', name, source: '', ...pair });
      break;
    } catch (error) {
      const wrong = error instanceof SwapctlError ? wrongAnswer(error) : null;
      if (wrong === null || !canAsk || (wrong !== 'secret' && options[wrong] !== null))
        throw notStored(error, wrong);
      await streams.warn(wordsOf(wrong, error as SwapctlError));
      answers = { ...answers, [wrong]: await keyPair.askFor(context, wrong, answers) };
    }
  }
  const pair = pairOf(answers, options);
  const left = await settings.save(name, pair, keychain);
  if (left !== null) await streams.warn(`${left.message} ${left.hint ?? ''}`);
  const stored = keychain ? { ...pair, secret: null } : pair;
  const profile = keyPair.storedProfile(context, name, stored);
  const result = keyPair.profileResult(profile, name === (await settings.current()));
  streams.note(storedNote(context, result));
  await keyPair.warnOfEnvironment(context, name);
  await streams.print(profileView({ ...result, verified: true, state: 'verified' }));
}

/** The error of a check, which says that nothing was stored. */
function notStored(error: unknown, wrong: keyof keyPair.LoginAnswers | null): unknown {
  if (!(error instanceof SwapctlError) || error instanceof InterruptedError) return error;
  return restated(error, `${fullSentence(error.message)} Nothing was stored.`, {
    ...(wrong === 'secret' ? { hint: 'The secret does not belong to this public key; check both.' } : {}),
  });
}

function pairOf(answers: keyPair.LoginAnswers, { environment, support }: LoginOptions): KeyPair {
  const pair = { ...answers, environment: environment ?? defaultEnvironment(answers.baseUrl) };
  return support === null ? pair : { ...pair, support };
}

async function firstAnswers(context: Context, options: LoginOptions, canAsk: boolean) {
  const given = async (value: string | null, flag: string, wanted: keyof keyPair.LoginAnswers) => {
    if (value !== null) return value;
    if (canAsk) return keyPair.askFor(context, wanted);
    throw new UsageError(`Missing ${flag} (not running interactively).`, keyPair.LOGIN_LINE);
  };
  const baseUrl = await given(options.baseUrl, '--base-url', 'baseUrl');
  const key = await given(options.publicKey, '--public-key', 'publicKey');
  const publicKey = withoutBlanks(context, 'public key', key);
  // A terminal would show a secret that is typed to standard input.
  const read = context.streams.interactive
    ? () => keyPair.askFor(context, 'secret')
    : () => readSecret(context);
  const entered = options.withSecret ? await read() : null;
  const secret = withoutBlanks(context, 'secret', await given(entered, '--with-secret', 'secret'));
  await keyPair.warnOfOddSecret(context, secret);
  checkCredentials(publicKey, secret);
  return { baseUrl, publicKey, secret };
}

/** The answer that a failed check is about; null if none is wrong. */
function wrongAnswer({ code, httpStatus }: SwapctlError): keyof keyPair.LoginAnswers | null {
  if (code === 'invalid_public_key') return 'publicKey';
  if (code === 'invalid_signature') return 'secret';
  if (code === 'rejected') return httpStatus === 403 ? 'baseUrl' : null;
  return WRONG_URL.has(code) ? 'baseUrl' : null;
}

const WRONG_URL: ReadonlySet<ErrorCode> = new Set([
  'not_found',
  'bad_response',
  'invalid_payload',
  'network_error',
  'timeout',
] as const);

function wordsOf(wrong: keyof keyPair.LoginAnswers, { message, hint }: SwapctlError): string {
  if (wrong === 'publicKey') return 'The service does not know this public key.';
  if (wrong === 'secret') return 'The secret does not match this public key.';
  return `${fullSentence(message)} ${hint ?? ''}`.trimEnd();
}

/** Where the pair and its secret are stored now, as a sentence. */
function storedNote({ settings }: Context, { name, secret }: ProfileResult): string {
  const { configFile, platform } = settings.paths;
  const alone = isWindows(platform) ? '' : ', readable only by you';
  const where = secret.plainText
    ? `, with the secret in plain text${alone}.`
    : `; its secret is stored in ${secret.place}.`;
  const used =
    settings.deciding.length > 0
      ? ''
      : ` Commands now use it; \`swapctl auth switch ${SANDBOX_PROFILE}\` switches back to the sandbox.`;
  return `Stored as profile ${name} in ${configFile}${where}${used}`;
}

const MAX_SECRET_BYTES = 8192;

/** Reads the secret from standard input; one line break at its end is not part of it. */
async function readSecret(context: Context): Promise<string> {
  const text = await readInput(context.input('-'), MAX_SECRET_BYTES);
  return text.replace(/\r?\n$/, '');
}
