import { drawn, type Visible } from '../../base/text.ts';

/** Background of a terminal; most do not report it. */
export type Background = 'dark' | 'light' | 'unknown';

type Paint = (text: Visible) => Visible;

const same: Paint = (text) => text;

/** Ways to paint text; `paper` is white drawing on black, whatever the terminal's own colours. */
const UNPAINTED = { bold: same, dim: same, green: same, yellow: same, red: same, cyan: same, paper: same };

/** Ways to set text apart; each returns the text unchanged where there is no colour. */
export interface Style extends Readonly<typeof UNPAINTED> {
  readonly colour: boolean;
  /** Whether bars and QR codes may be drawn with block characters. */
  readonly hasBlocks: boolean;
  /** Background of the terminal, as far as it is reported. */
  readonly background: Background;
  /** Explorers that the person has chosen, by network; null if the terminal shows no links (OSC 8). */
  readonly links: ((network: string) => string | null) | null;
}

/** Text without styling. */
export const PLAIN: Style = {
  colour: false,
  hasBlocks: true,
  background: 'unknown',
  links: null,
  ...UNPAINTED,
};

/** A text as a link (OSC 8) to a URL of printable ASCII; it ends with a bell, which more terminals know than the string terminator. */
export function linkTo(url: string, text: Visible): Visible {
  return drawn(`\u001b]8;;${url}\u0007${text}\u001b]8;;\u0007`);
}

/** A style with or without colour; chalk is loaded only for colour, with an explicit level, since it ignores `NO_COLOR`. */
export async function createStyle(
  colour: boolean,
  terminal: Partial<Pick<Style, 'hasBlocks' | 'background' | 'links'>> = {},
): Promise<Style> {
  if (!colour) return { ...PLAIN, ...terminal };
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    ...PLAIN,
    ...terminal,
    colour: true,
    bold: (text) => drawn(chalk.bold(text)),
    dim: (text) => drawn(chalk.dim(text)),
    green: (text) => drawn(chalk.green(text)),
    yellow: (text) => drawn(chalk.yellow(text)),
    red: (text) => drawn(chalk.red(text)),
    cyan: (text) => drawn(chalk.cyan(text)),
    paper: (text) => drawn(chalk.bgBlack.whiteBright(text)),
  };
}
