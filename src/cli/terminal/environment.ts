import type { Background } from './style.ts';

const DEFAULT_WIDTH = 80;

/** Whether a variable such as `CI` is set and not off. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}

/** Whether the locale supports only ASCII: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set is C or POSIX. */
export function isAsciiLocale(env: NodeJS.ProcessEnv): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(
    (name) => name !== undefined && name !== '',
  );
  return locale === 'C' || locale === 'POSIX';
}

/**
 * Background of the terminal by `COLORFGBG`, which rxvt, Konsole and others set: its last number is a colour of the
 * sixteen, of which white and the bright ones but grey are light.
 */
export function backgroundOf(env: NodeJS.ProcessEnv): Background {
  const colour = /^(?:\d+|default);(?:(?:\d+|default);)?(\d{1,2})$/.exec(env['COLORFGBG'] ?? '')?.[1];
  if (colour === undefined) return 'unknown';
  const colourNumber = Number.parseInt(colour, 10);
  if (colourNumber > 15) return 'unknown';
  return colourNumber === 7 || colourNumber > 8 ? 'light' : 'dark';
}

/**
 * Whether a terminal shows links (OSC 8), by the variables that those which do set; `FORCE_HYPERLINK` decides for all others.
 * A multiplexer has its own terminal and passes none on.
 */
export function showsLinks(env: NodeJS.ProcessEnv): boolean {
  const forced = env['FORCE_HYPERLINK'];
  if (forced !== undefined) return forced === '' || isOn(forced);
  const { TERM: term = '', TERM_PROGRAM: program = '', VTE_VERSION: vte = '0' } = env;
  if (isOn(env['CI']) || /^(?:dumb|linux|screen|tmux)/.test(term) || program === 'tmux') return false;
  return (
    ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby', 'rio'].includes(program) ||
    /kitty|alacritty|foot|wezterm|ghostty|contour/.test(term) ||
    [env['WT_SESSION'], env['KONSOLE_VERSION'], env['DOMTERM']].some((value) => value !== undefined) ||
    Number.parseInt(vte, 10) >= 5000
  );
}

/** When colour is used, as in `--color`. */
export type ColourChoice = 'auto' | 'always' | 'never';

/**
 * Whether a stream gets colour. In order of precedence: `--color`, `NO_COLOR` (any text), `FORCE_COLOR` (`0` and
 * `false` mean no), `CLICOLOR_FORCE`, and the stored setting, which is read only then; otherwise a terminal that is not
 * dumb gets colour.
 */
export function useColour(
  flag: StreamFlags['color'],
  env: NodeJS.ProcessEnv,
  terminal: boolean,
  stored: () => ColourChoice | null = () => null,
): boolean {
  if (flag === 'always') return true;
  if (flag === 'never') return false;
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] === '' || isOn(env['FORCE_COLOR']);
  if (isOn(env['CLICOLOR_FORCE'])) return true;
  const choice = flag === undefined ? stored() : null;
  if (choice === 'always' || choice === 'never') return choice === 'always';
  return terminal && env['TERM'] !== 'dumb';
}

/** Columns of a terminal: `COLUMNS`, else as the terminal reports, else 80. */
export function terminalWidth(columns: string | undefined, actual: number | undefined): number {
  const wanted = columns !== undefined && /^[0-9]{1,4}$/.test(columns) ? Number.parseInt(columns, 10) : 0;
  if (wanted > 0) return wanted;
  return actual !== undefined && actual > 0 ? actual : DEFAULT_WIDTH;
}

/** Flags for output and input. */
export interface StreamFlags {
  readonly json?: boolean | undefined;
  /** Keys to print, such as `deposit.address`; those within lists are keys of each item. */
  readonly fields?: readonly string[] | undefined;
  readonly input?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly color?: ColourChoice | undefined;
}
