/** Ways to set text apart; each returns the text unchanged where there is no colour. */
export interface Style {
  readonly colour: boolean;
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
  cyan(text: string): string;
  /** White drawing on black, whatever the terminal's own colours. */
  paper(text: string): string;
}

const same = (text: string): string => text;

/** Text as it is. */
export const PLAIN: Style = {
  colour: false,
  bold: same,
  dim: same,
  green: same,
  yellow: same,
  red: same,
  cyan: same,
  paper: same,
};

/** A style with or without colour; chalk is loaded only for colour, and told so, since it does not heed `NO_COLOR`. */
export async function createStyle(colour: boolean): Promise<Style> {
  if (!colour) return PLAIN;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    colour: true,
    bold: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    green: (text) => chalk.green(text),
    yellow: (text) => chalk.yellow(text),
    red: (text) => chalk.red(text),
    cyan: (text) => chalk.cyan(text),
    paper: (text) => chalk.bgBlack.whiteBright(text),
  };
}

/** Colour of a status: done, going on, lost, or in need of a person. */
export function statusColour(style: Style, status: string): (text: string) => string {
  if (status === 'success') return style.green;
  if (status === 'overdue' || status === 'error' || status === 'refund') return style.red;
  if (status === 'pause' || status === 'frozen' || status === 'unknown') return style.yellow;
  return style.cyan;
}
