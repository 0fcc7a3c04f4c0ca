import {
  createPrompt,
  isBackspaceKey,
  isEnterKey,
  makeTheme,
  useEffect,
  useKeypress,
  usePrefix,
  useState,
} from '@inquirer/core';
import { shown, type Visible, visible, visibleLines } from '../../base/text.ts';
import type { Validate } from './questions.ts';
import type { Style } from './style.ts';

/** Pause in typing after which the preview is computed, in milliseconds. */
const PREVIEW_PAUSE_MS = 300;

interface PreviewQuestion {
  readonly message: Visible;
  readonly theme: PromptTheme;
  readonly default?: string;
  readonly validate?: Validate;
  readonly preview: (answer: string) => Promise<Visible>;
  /** Shown in place of the answer, unless it is null. */
  readonly inPlace?: () => Visible | null;
}

interface Below {
  readonly text: Visible;
  readonly problem: boolean;
}

/** A line of input with a line below it that shows what the answer would mean. */
export const previewInput = createPrompt<string, PreviewQuestion>((config, done) => {
  const theme = makeTheme(config.theme);
  const [status, setStatus] = useState<'idle' | 'loading' | 'done'>('idle');
  const [value, setValue] = useState('');
  const [preset, setPreset] = useState(config.default ?? '');
  const [below, setBelow] = useState<Below | null>(null);
  const prefix = usePrefix({ status, theme });
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => {
    const answer = value || preset;
    // A refusal stays until the answer changes; a late preview must not replace it.
    return status === 'idle' && answer !== refused ? previewLater(config, answer, setBelow) : undefined;
  }, [value, preset, status, refused]);
  useKeypress(async (key, rl) => {
    if (status !== 'idle') return;
    if (!isEnterKey(key)) {
      if (isBackspaceKey(key) && value === '') setPreset('');
      setValue(rl.line);
      return;
    }
    const answer = value || preset;
    setStatus('loading');
    const verdict = (await config.validate?.(answer)) ?? true;
    if (verdict === true) {
      setValue(answer);
      setStatus('done');
      done(answer);
    } else {
      // Readline has cleared its line at the Enter key; the answer is restored for correction.
      rl.write(value);
      setRefused(answer);
      setBelow({ text: visibleLines(verdict), problem: true });
      setStatus('idle');
    }
  });
  const message = theme.style.message(config.message, status);
  if (status === 'done') return `${prefix} ${message} ${theme.style.answer(config.inPlace?.() ?? value)}`;
  const offered = value === '' && preset !== '' ? ` ${theme.style.defaultAnswer(preset)}` : '';
  const paint = below?.problem === true ? theme.style.error : theme.style.help;
  return [`${prefix} ${message}${offered} ${visible(value)}`, below === null ? '' : paint(below.text)];
});

function previewLater({ preview }: PreviewQuestion, answer: string, show: (below: Below | null) => void) {
  show(null);
  if (answer === '') return () => undefined;
  let current = true;
  const timer = setTimeout(() => {
    const settle = (text: Visible) => current && show({ text: shown`  ${text}`, problem: false });
    // A failed preview is ignored; the answer itself is checked at the Enter key.
    preview(answer).then(settle, () => undefined);
  }, PREVIEW_PAUSE_MS);
  return () => {
    current = false;
    clearTimeout(timer);
  };
}

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
