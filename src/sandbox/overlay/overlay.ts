import { HABIT_NAMES, HABITS, type HabitName, isHabitName } from '../../core/partner-api/habits.ts';
import { writeJson } from '../../core/partner-api/json.ts';
import type { Side } from '../../core/swap/swap.ts';
import { builtInCatalogue, type Catalogue, catalogueOf } from '../catalogue/catalogue.ts';
import { readCoins } from '../catalogue/coin.ts';
import { type Choices, readBounds, readOverlaySettings } from '../habits/choices.ts';
import type { Habits } from '../habits/decisions.ts';
import { list, members, type ReadValue, readFileText, unknownName, withSource, wrong } from '../json-file.ts';

/** How a sandbox differs from the plain one: the contents of an `--overlay` file. */
interface Overlay {
  /** Undefined if it has no coins. */
  readonly catalogue: Catalogue | undefined;
  /** Undefined if it has no list of habits. */
  readonly habits: Habits | undefined;
  /** Decisions, the bounds of pairs among them. */
  readonly choices: Choices;
}

export const NO_OVERLAY: Overlay = { catalogue: undefined, habits: undefined, choices: {} };

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

const readHabit: ReadValue<HabitName> = (value, path) => {
  if (typeof value !== 'string') throw wrong(path, 'must be the name of a habit');
  if (isHabitName(value)) return value;
  const all = HABIT_NAMES.map((name) => `${name} (${HABITS[name]})`).join('; ');
  throw unknownName(path, 'habit', value, HABIT_NAMES, `Choose from: ${all}.`);
};

const readParts = members(
  {
    coins: (value, path) => catalogueOf(readCoins(value, path), writeJson({ coins: value })),
    habits: list(readHabit),
    bounds: list(readBounds),
    decisions: readOverlaySettings,
  },
  'part',
);

/**
 * Options of a server for an overlay and the other flags, which take precedence. Throws UsageError if bounds name a
 * coin that the server does not have.
 */
export function applyOverlay(
  { catalogue, habits, choices }: Overlay,
  chosen: Partial<Pick<Overlay, 'catalogue' | 'habits'>>,
) {
  const coins = chosen.catalogue ?? catalogue ?? builtInCatalogue();
  withSource('Overlay: ', () => {
    for (const [index, { from, to }] of (choices.bounds ?? []).entries()) {
      requireAsset(coins, from, 'deposit', `bounds[${index}].from`);
      requireAsset(coins, to, 'receive', `bounds[${index}].to`);
    }
  });
  return { catalogue: coins, choices, habits: chosen.habits ?? habits };
}

function requireAsset(catalogue: Catalogue, named: string, side: Side, path: string): void {
  const [code = '', network, ...rest] = named.split(':');
  const coin = catalogue.coins.find((each) => each.code === code);
  const has = (each: string) => network === undefined || network === each;
  if (rest.length === 0 && coin?.assets.some((asset) => asset[side] && has(asset.network)) === true) return;
  const known = catalogue.coins.flatMap(({ assets }) =>
    assets.filter((asset) => asset[side]).flatMap((asset) => [asset.coin, `${asset.coin}:${asset.network}`]),
  );
  throw unknownName(path, side === 'deposit' ? 'coin to deposit' : 'coin to receive', named, [
    ...new Set(known),
  ]);
}
