import { ENDPOINT_NAMES, type EndpointName, isEndpointName } from '../../partner-api/endpoints.ts';
import { AMOUNT_FIELDS, HABIT_NAMES, HABITS, type HabitName, isHabitName } from '../../partner-api/habits.ts';
import { type JsonValue, writeJson } from '../../partner-api/json.ts';
import { compareDecimals, significantPlaces } from '../../swap/amount.ts';
import type { RateType, Side } from '../../swap/swap.ts';
import { builtInCatalogue, type Catalogue, parseCatalogue } from '../catalogue/catalogue.ts';
import {
  choice,
  list,
  members,
  orNull,
  type ReadValue,
  readDecimal,
  readDuration,
  readFileText,
  reading,
  readObject,
  text,
  unknownName,
  whole,
  wrong,
} from '../catalogue/json-reader.ts';
import {
  type Choices,
  type ChosenBounds,
  DURATION_FORMS,
  HOUSE_RULES,
  type Refused,
  TIME_FORMS,
  type ValidationTexts,
} from '../habits/choices.ts';
import type { Habits } from '../habits/decisions.ts';
import type { RateLimit } from '../limits/rate-limiter.ts';
import { MAX_FEE_PLACES } from '../prices/pair-terms.ts';

const MAX_PAGE = 10_000;
const MAX_BODY = 16 * 1024 * 1024;
const MAX_FEE = '50';

const success = whole(200, 299);
const limit = whole(1, MAX_PAGE);
const template: ReadValue<string> = (value, place) => (value === '' ? '' : text()(value, place));

const refusal = members<Refused>({ status: whole(400, 599), message: text() }, 'member', [
  'status',
  'message',
]);

const rateLimit: ReadValue<RateLimit> = (value, place) => {
  const [, count = '', window = ''] = /^([1-9][0-9]{0,6})\/([0-9]+[smhd])$/.exec(String(value)) ?? [];
  if (count === '') throw wrong(place, 'must be requests and a time, such as "120/60s"');
  const windowSeconds = Math.max(1, readDuration(window, place) / 1000);
  return { count: Number.parseInt(count, 10), windowSeconds };
};

const fee: ReadValue<string> = (value, place) => {
  const share = readDecimal(value, place);
  if (significantPlaces(share) <= MAX_FEE_PLACES && compareDecimals(share, MAX_FEE) <= 0) return share;
  throw wrong(place, `must be a percentage of at most ${MAX_FEE}, with up to ${MAX_FEE_PLACES} decimals`);
};

const extraFields: ReadValue<NonNullable<Choices['extraFields']>> = (value, place) =>
  Object.fromEntries(
    Object.entries(readObject(value, place)).map(([endpoint, fields]) => {
      if (!isEndpointName(endpoint)) throw unknownName(place, 'endpoint', endpoint, ENDPOINT_NAMES);
      return [endpoint, fieldsOf(fields, `${place}.${endpoint}`)] satisfies [EndpointName, object];
    }),
  );

function fieldsOf(value: JsonValue | undefined, place: string): Readonly<Record<string, JsonValue>> {
  const fields = readObject(value, place);
  const odd = Object.keys(fields).find((path) => !PATH.test(path));
  if (odd !== undefined) throw wrong(place, `has "${odd}", which is not a path such as pairs.deposit.icon`);
  return fields;
}

// Names are written as they are, so they must not need an escape.
const PATH = /^[A-Za-z0-9_$-]+(?:\[\])?(?:\.[A-Za-z0-9_$-]+(?:\[\])?)*$/;

const readDecisions: ReadValue<Omit<Choices, 'bounds'>> = (value, place) => {
  const choices = members<Omit<Choices, 'bounds'>>(
    {
      readStatus: success,
      createStatus: success,
      updateStatus: success,
      defaultLimit: limit,
      maxLimit: orNull(limit),
      overMaxLimit: choice('refuse', 'cut'),
      defaultListing: choice('deposit', 'receive', 'refuse'),
      refundPayload: text(),
      otherPayload: choice('refuse', 'accept'),
      unknownCoin: refusal,
      unknownPair: refusal,
      textAmounts: list(choice(...AMOUNT_FIELDS)),
      times: choice(...TIME_FORMS),
      duration: choice(...DURATION_FORMS),
      payoutSentCode: whole(0, 999),
      depositWindow: members<Partial<Record<RateType, number>>>(
        { fixed: readDuration, float: readDuration },
        'rate type',
      ),
      confirmationTime: readDuration,
      exchangeTime: readDuration,
      rateLimit,
      fees: members<Partial<Record<RateType, string>>>({ fixed: fee, float: fee }, 'rate type'),
      refundMessage: text(),
      boundsVerb: choice('swap', 'exchange'),
      validationTexts: members<Partial<ValidationTexts>>(
        { missing: template, string: template, empty: template, number: template, choice: template },
        'rule',
      ),
      maxBodyBytes: whole(1024, MAX_BODY),
      extraFields,
      houseRules: list(choice(...HOUSE_RULES)),
    },
    'decision',
  )(value, place);
  const { defaultLimit, maxLimit } = choices;
  if (typeof maxLimit === 'number' && defaultLimit !== undefined && defaultLimit > maxLimit)
    throw wrong(`${place}.defaultLimit`, 'must not be above maxLimit');
  return choices;
};

const readBoundsEntry = members<ChosenBounds>(
  { from: text(), to: text(), min: readDecimal, max: orNull(readDecimal) },
  'member',
  ['from', 'to', 'min', 'max'],
);

/** Reads the bounds of one pair. */
const readBounds: ReadValue<ChosenBounds> = (value, place) => {
  const bounds = readBoundsEntry(value, place);
  const { min, max } = bounds;
  if (max !== null && compareDecimals(min, max) > 0) throw wrong(`${place}.max`, 'must not be below min');
  return bounds;
};

/** How a sandbox differs from the plain one: what the file of `--overlay` holds. */
interface Overlay {
  /** Undefined where it has no coins. */
  readonly catalogue: Catalogue | undefined;
  /** Undefined where it has no list of habits. */
  readonly habits: Habits | undefined;
  /** Decisions, the bounds of pairs among them. */
  readonly choices: Choices;
}

export const NO_OVERLAY: Overlay = { catalogue: undefined, habits: undefined, choices: {} };

/** Options of a server that flags may give as well; they take precedence. */
type Chosen = Partial<Pick<Overlay, 'catalogue' | 'habits'>>;

/**
 * Reads an overlay: an object with any of `coins` (as in a `--catalog` file), `habits`, `bounds` and `decisions`. Throws
 * UsageError that names the place of the first thing that is wrong.
 */
export function readOverlay(text: string): Overlay {
  const { coins, habits, bounds, decisions } = readFileText('Overlay', text, readParts);
  return {
    catalogue: coins,
    habits: habits === undefined ? undefined : new Set(habits),
    choices: { ...decisions, ...(bounds === undefined ? {} : { bounds }) },
  };
}

const readHabit: ReadValue<HabitName> = (value, place) => {
  if (typeof value !== 'string') throw wrong(place, 'must be the name of a habit');
  if (isHabitName(value)) return value;
  const all = HABIT_NAMES.map((name) => `${name} (${HABITS[name]})`).join('; ');
  throw unknownName(place, 'habit', value, HABIT_NAMES, `Choose from: ${all}.`);
};

const readParts = members<{
  readonly coins?: Catalogue;
  readonly habits?: readonly HabitName[];
  readonly bounds?: readonly ChosenBounds[];
  readonly decisions?: Omit<Choices, 'bounds'>;
}>(
  {
    coins: (value) => parseCatalogue(writeJson({ coins: value }), 'Overlay'),
    habits: list(readHabit),
    bounds: list(readBounds),
    decisions: readDecisions,
  },
  'part',
);

/** An overlay with the coins of its server. */
interface Overlaid extends Overlay {
  readonly catalogue: Catalogue;
}

/**
 * Options of a server for an overlay and what was chosen besides, which beats it. Throws UsageError where bounds name a
 * coin that the server does not have.
 */
export function overlaid({ catalogue, habits, choices }: Overlay, chosen: Chosen): Overlaid {
  const coins = chosen.catalogue ?? catalogue ?? builtInCatalogue();
  reading('Overlay', () => {
    for (const [index, { from, to }] of (choices.bounds ?? []).entries()) {
      requireAsset(coins, from, 'deposit', `bounds[${index}].from`);
      requireAsset(coins, to, 'receive', `bounds[${index}].to`);
    }
  });
  return { catalogue: coins, choices, habits: chosen.habits ?? habits };
}

function requireAsset(catalogue: Catalogue, named: string, side: Side, place: string): void {
  const [code = '', network, ...rest] = named.split(':');
  const coin = catalogue.coins.find((each) => each.code === code);
  const has = (each: string) => network === undefined || network === each;
  if (rest.length === 0 && coin?.assets.some((asset) => asset[side] && has(asset.network)) === true) return;
  const known = catalogue.coins.flatMap(({ assets }) =>
    assets.filter((asset) => asset[side]).flatMap((asset) => [asset.coin, `${asset.coin}:${asset.network}`]),
  );
  throw unknownName(place, side === 'deposit' ? 'coin to deposit' : 'coin to receive', named, [
    ...new Set(known),
  ]);
}
