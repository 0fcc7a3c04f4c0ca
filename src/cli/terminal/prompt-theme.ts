import { shown, type Visible, visible, visibleLines } from '../../base/text.ts';
import type { Style } from './style.ts';

/** Theme of inquirer's questions. */
export type PromptTheme = ReturnType<typeof promptTheme>;

/**
 * The appearance of questions: inquirer would colour them regardless of `NO_COLOR` and `--color`. Its texts may have
 * been typed or pasted, so they pass the gate here too.
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

/** Theme of a searchable list, with a key hint about searching. */
export function searchTheme(theme: PromptTheme): PromptTheme {
  const { keysHelpTip } = theme.style;
  return {
    ...theme,
    style: { ...theme.style, keysHelpTip: (keys) => keysHelpTip([['type', 'to search'], ...keys]) },
  };
}
