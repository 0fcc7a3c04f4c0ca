import { UsageError } from '../../errors.ts';
import { HABIT_NAMES, HABITS, isHabitName } from '../../partner-api/habits.ts';
import type { JsonObject, JsonValue } from '../../partner-api/json.ts';
import { isJsonObject, parseJson, writeJson } from '../../partner-api/json.ts';
import type { Side } from '../../swap/swap.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { builtInCatalogue, parseCatalogue } from '../catalogue/catalogue.ts';
import type { Choices } from '../habits/choices.ts';
import type { Habits } from '../habits/decisions.ts';
import { readBounds, readDecisions } from './decisions.ts';
import { list, unknownName, wrong } from './values.ts';

const KEYS = ['coins', 'habits', 'bounds', 'decisions'];

/** How a sandbox differs from the plain one: what the file of `--overlay` holds. */
export interface Overlay {
  /** Undefined where it has no coins. */
  readonly catalogue: Catalogue | undefined;
  /** Undefined where it has no list of habits. */
  readonly habits: Habits | undefined;
  /** Decisions, the bounds of pairs among them. */
  readonly choices: Choices;
}

/** The plain sandbox. */
export const NO_OVERLAY: Overlay = { catalogue: undefined, habits: undefined, choices: {} };

/** Options of a server that flags may give as well. */
interface Chosen {
  readonly catalogue?: Catalogue;
  readonly habits?: Habits;
}

/**
 * Reads an overlay: an object with any of `coins` (as in a `--catalog` file), `habits`, `bounds` and `decisions`. Throws
 * UsageError that names the place of the first thing that is wrong.
 */
export function readOverlay(text: string): Overlay {
  const root = parsed(text);
  const other = Object.keys(root).find((key) => !KEYS.includes(key));
  if (other !== undefined) throw unknownName('the file', 'part', other, KEYS);
  const { coins, habits, bounds, decisions } = root;
  return {
    catalogue: coins === undefined ? undefined : parseCatalogue(writeJson({ coins }), 'Overlay'),
    habits: habits === undefined ? undefined : new Set(list(readHabit)(habits, 'habits')),
    choices: {
      ...(decisions === undefined ? {} : readDecisions(decisions, 'decisions')),
      ...(bounds === undefined ? {} : { bounds: list(readBounds)(bounds, 'bounds') }),
    },
  };
}

/** What a server is like. */
interface Overlaid {
  readonly catalogue: Catalogue;
  readonly habits?: Habits;
  readonly choices: Choices;
}

/**
 * Options of a server for an overlay and what was chosen besides, which beats it. Throws UsageError where bounds name a
 * coin that the server does not have.
 */
export function overlaid({ catalogue, habits, choices }: Overlay, chosen: Chosen): Overlaid {
  const coins = chosen.catalogue ?? catalogue ?? builtInCatalogue();
  for (const [index, { from, to }] of (choices.bounds ?? []).entries()) {
    requireAsset(coins, from, 'deposit', `bounds[${index}].from`);
    requireAsset(coins, to, 'receive', `bounds[${index}].to`);
  }
  const own = chosen.habits ?? habits;
  return { catalogue: coins, choices, ...(own === undefined ? {} : { habits: own }) };
}

function readHabit(value: JsonValue, place: string) {
  if (typeof value !== 'string') throw wrong(place, 'must be the name of a habit');
  if (isHabitName(value)) return value;
  const error = unknownName(place, 'habit', value, HABIT_NAMES);
  const all = HABIT_NAMES.map((name) => `${name} (${HABITS[name]})`).join('; ');
  throw error.hint?.startsWith('Did') === true
    ? error
    : new UsageError(error.message, `Choose from: ${all}.`);
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

function parsed(text: string): JsonObject {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw wrong('the file', `is not JSON: ${error.message}`);
    throw error;
  }
  if (isJsonObject(value)) return value;
  throw wrong('the file', `must be an object with any of ${KEYS.join(', ')}`);
}
