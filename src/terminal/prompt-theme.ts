import type { Visible } from '../text.ts';
import { shown, visible, visibleLines } from '../text.ts';
import type { Style } from './style.ts';

/** Theme of inquirer's questions. */
export type PromptTheme = ReturnType<typeof promptTheme>;

/**
 * The looks of questions in our own style: inquirer would colour them whatever `NO_COLOR` and `--color` say. What it
 * hands over may have been typed or pasted, so it goes through the gate here too.
 */
export function promptTheme(style: Style) {
  const { bold, cyan, dim, green, red, yellow } = style;
  const clean = (paint: (text: Visible) => Visible) => (text: string) => paint(visible(text));
  const cleanLines = (paint: (text: Visible) => Visible) => (text: string) => paint(visibleLines(text));
  return {
    prefix: { idle: cyan(shown`?`), done: green(shown`✔`) },
    spinner: { interval: 80, frames: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'].map(clean(yellow)) },
    style: {
      answer: clean(cyan),
      message: cleanLines(bold),
      error: (text: string) => red(shown`> ${visibleLines(text)}`),
      defaultAnswer: (text: string) => dim(visible(`(${text})`)),
      help: cleanLines(dim),
      highlight: clean(cyan),
      key: (text: string) => cyan(bold(visible(`<${text}>`))),
      disabled: clean(dim),
      description: cleanLines(dim),
      searchTerm: clean(cyan),
      keysHelpTip: (keys: readonly (readonly [key: string, action: string])[]) =>
        dim(visible(keys.map(([key, action]) => `${key} ${action}`).join(' • '))),
    },
  };
}

/** Theme of a list that can be searched, which its key hints alone do not show. */
export function searchTheme(theme: PromptTheme): PromptTheme {
  const { keysHelpTip } = theme.style;
  return {
    ...theme,
    style: { ...theme.style, keysHelpTip: (keys) => keysHelpTip([['type', 'to search'], ...keys]) },
  };
}
