import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { coinListFile, readStoredCoinList, readStoredCoinNames } from '../../core/client/coin-list-cache.ts';
import { checkBaseUrl } from '../../core/partner-api/base-url.ts';
import { ENV_PROFILE } from '../../core/partner-api/key-pair.ts';
import type { Coin } from '../../core/swap/swap.ts';
import { resolvePaths } from '../settings/paths.ts';
import { SANDBOX_PROFILE, type StoredProfile } from '../settings/profile.ts';
import { createSettings, type Settings } from '../settings/settings.ts';

/** One word with which the line may continue. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** The flags of a line that say whose coins and orders are meant. */
export interface ChosenProfile {
  readonly profile: string | null;
  readonly sandbox: boolean;
}

/** Words from local files. No request is sent, no service is started, and unreadable files give none. */
export type Sources = ReturnType<typeof createSources>;

/** Where the sources read. */
export interface CompletionParts {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Folder with files from the build: `commands.json` and `coins.json`. */
  readonly folder: string;
}

/** See {@link Sources}. */
export function createSources({ env, platform, folder }: CompletionParts) {
  const paths = resolvePaths(env, platform);
  const settingsFor = ({ profile, sandbox }: ChosenProfile) =>
    createSettings(env, paths, { sandbox, ...(profile === null ? {} : { profile }) });
  const builtIn = () => JSON.parse(readFileSync(join(folder, 'coins.json'), 'utf8')) as readonly Coin[];
  /** What a reader of stored coin lists gives for a place that has one. */
  const stored = async <Stored>(
    chosen: ChosenProfile,
    read: (file: string) => readonly Stored[],
  ): Promise<readonly (Stored | Coin)[]> => {
    const settings = settingsFor(chosen);
    const name = await settings.profileName();
    if (name === SANDBOX_PROFILE) return builtIn();
    const key = name === ENV_PROFILE ? keyOfEnvironment(env) : await storedKey(settings, name);
    if (key === null) return [];
    return read(coinListFile(paths.cacheFolder, key.baseUrl, key.publicKey));
  };
  const coinsOf = (chosen: ChosenProfile): Promise<readonly Coin[]> =>
    stored(chosen, (file) => readStoredCoinList(file, Date.now(), Number.POSITIVE_INFINITY)?.coins ?? []);
  const namesOf = async (chosen: ChosenProfile, word: string): Promise<readonly Candidate[]> =>
    (await stored(chosen, (file) => readStoredCoinNames(file, word))).map((coin) => ({
      word: coin.code,
      description: coin.name,
    }));
  return {
    /** Coins that a word may be the start of. */
    coins: emptyOnError(namesOf),
    /** The same, or the networks of one for a word with a colon. */
    assets: emptyOnError(async (chosen: ChosenProfile, word: string) => {
      const colon = word.indexOf(':');
      if (colon < 0) return namesOf(chosen, word);
      const coins = await coinsOf(chosen);
      const code = word.slice(0, colon).toLowerCase();
      return coins
        .filter((coin) => coin.code.toLowerCase() === code)
        .flatMap((coin) =>
          networksOf([coin]).map((network) => ({
            word: `${coin.code}:${network}`,
            description: `${coin.name} on ${network}`,
          })),
        );
    }),
    networks: emptyOnError(async (chosen: ChosenProfile) =>
      networksOf(await coinsOf(chosen)).map((word) => ({ word, description: '' })),
    ),
    /** Open orders of the ledger, the newest first. */
    orders: emptyOnError(async (chosen: ChosenProfile) => {
      const settings = settingsFor(chosen);
      const named = chosen.sandbox || chosen.profile !== null || settings.deciding.length > 0;
      return openOrders(settings.ledgerLocation, named ? await settings.profileName() : null);
    }),
    profiles: emptyOnError(async () => {
      const stored = await createSettings(env, paths, {}).list();
      const listed = stored.map(({ name, profile }) => ({
        word: name,
        description:
          profile instanceof Error ? '' : `${profile.environment}, ${new URL(profile.baseUrl).host}`,
      }));
      return [...listed, { word: SANDBOX_PROFILE, description: 'the built-in service' }];
    }),
    /** Saved addresses as `@name`. */
    addresses: emptyOnError(async () =>
      createSettings(env, paths, {})
        .savedNames()
        .map((name) => ({ word: `@${name}`, description: 'saved address' })),
    ),
  };
}

/** A source that is empty if it cannot be read, because Tab must not print an error into the line. */
function emptyOnError<Given extends readonly unknown[]>(
  read: (...given: Given) => Promise<readonly Candidate[]>,
): (...given: Given) => Promise<readonly Candidate[]> {
  return async (...given) => {
    try {
      return await read(...given);
    } catch {
      return [];
    }
  };
}

type ServiceKey = Pick<StoredProfile, 'baseUrl' | 'publicKey'>;

/** Not by the profile itself, which would read the secret. */
function keyOfEnvironment(env: NodeJS.ProcessEnv): ServiceKey | null {
  const [baseUrl, publicKey] = [env['SWAPCTL_BASE_URL'], env['SWAPCTL_PUBLIC_KEY']];
  if (baseUrl === undefined || publicKey === undefined) return null;
  return { baseUrl: checkBaseUrl(baseUrl), publicKey: publicKey.trim() };
}

async function storedKey(settings: Settings, wanted: string): Promise<ServiceKey | null> {
  const found = (await settings.list()).find(({ name }) => name === wanted)?.profile;
  return found === undefined || found instanceof Error ? null : found;
}

function networksOf(coins: readonly Coin[]): readonly string[] {
  const all = coins.flatMap(({ deposit, receive }) => [...deposit, ...receive]);
  return [...new Set(all.map(({ network }) => network))];
}

const MAX_ORDERS = 200;

/** Uses the index of open swaps: SQLite would otherwise scan the whole ledger to avoid sorting. */
const OPEN = `select order_number as number, profile,
    json_extract(snapshot, '$.status') as status,
    json_extract(snapshot, '$.deposit.coin') as sent,
    json_extract(snapshot, '$.receive.coin') as received
  from intents indexed by intents_to_poll
  where outcome = 'created' and final = 0 and order_number is not null and (?1 is null or profile = ?1)
  order by requested_at desc limit ${MAX_ORDERS}`;

/** Open orders of a ledger in a file, of one profile or all, the newest first; none of one behind a URL. */
async function openOrders(ledger: string, profile: string | null): Promise<readonly Candidate[]> {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(ledger)) return [];
  const { glance } = await import('../../core/database/sqlite/connection.ts');
  const rows = glance(ledger, OPEN, [profile]) as readonly Record<string, unknown>[];
  return rows.map(({ number, profile, status, sent, received }) => ({
    word: String(number),
    description: `${status ?? 'not checked yet'}, ${sent ?? '?'} to ${received ?? '?'}, ${profile}`,
  }));
}
