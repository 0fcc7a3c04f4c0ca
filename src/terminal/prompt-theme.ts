import type { Style } from './style.ts';

/** The looks of inquirer's questions. */
export type PromptTheme = ReturnType<typeof promptTheme>;

/** The looks of questions in our own style: inquirer would colour them whatever `NO_COLOR` and `--color` say. */
export function promptTheme(style: Style) {
  const { bold, cyan, dim, green, red, yellow } = style;
  return {
    prefix: { idle: cyan('?'), done: green('✔') },
    spinner: { interval: 80, frames: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'].map(yellow) },
    style: {
      answer: cyan,
      message: bold,
      error: (text: string) => red(`> ${text}`),
      defaultAnswer: (text: string) => dim(`(${text})`),
      help: dim,
      highlight: cyan,
      key: (text: string) => cyan(bold(`<${text}>`)),
      disabled: dim,
      description: dim,
      searchTerm: cyan,
      keysHelpTip: (keys: readonly (readonly [key: string, action: string])[]) =>
        dim(keys.map(([key, action]) => `${key} ${action}`).join(' • ')),
    },
  };
}

/** The looks of a list that can be searched: nobody would guess that from the keys alone. */
export function searchTheme(theme: PromptTheme): PromptTheme {
  const { keysHelpTip } = theme.style;
  return {
    ...theme,
    style: { ...theme.style, keysHelpTip: (keys) => keysHelpTip([['type', 'to search'], ...keys]) },
  };
}
