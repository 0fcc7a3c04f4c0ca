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
import type { Visible } from '../text.ts';
import { shown, visible, visibleLines } from '../text.ts';
import type { PromptTheme } from './prompt-theme.ts';
import type { Validate } from './questions.ts';

/** Pause in typing after which the preview is asked for, in milliseconds. */
const PREVIEW_PAUSE_MS = 300;

interface PreviewQuestion {
  readonly message: Visible;
  readonly theme: PromptTheme;
  readonly default?: string;
  readonly validate?: Validate;
  readonly preview: (answer: string) => Promise<Visible>;
}

interface Below {
  readonly text: Visible;
  readonly problem: boolean;
}

/** A line of input with a line below it that tells what the answer would mean. */
export const previewInput = createPrompt<string, PreviewQuestion>((config, done) => {
  const theme = makeTheme(config.theme);
  const [status, setStatus] = useState<'idle' | 'loading' | 'done'>('idle');
  const [value, setValue] = useState('');
  const [standing, setStanding] = useState(config.default ?? '');
  const [below, setBelow] = useState<Below | null>(null);
  const prefix = usePrefix({ status, theme });
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => {
    const answer = value || standing;
    // A refusal stands until the answer is another one; a preview still on its way must not wipe it out.
    return status === 'idle' && answer !== refused ? previewLater(config, answer, setBelow) : undefined;
  }, [value, standing, status, refused]);
  useKeypress(async (key, rl) => {
    if (status !== 'idle') return;
    if (!isEnterKey(key)) {
      if (isBackspaceKey(key) && value === '') setStanding('');
      setValue(rl.line);
      return;
    }
    const answer = value || standing;
    setStatus('loading');
    const verdict = (await config.validate?.(answer)) ?? true;
    if (verdict === true) {
      setValue(answer);
      setStatus('done');
      done(answer);
    } else {
      // Readline has emptied its line with the Enter key; the answer is given back to be mended.
      rl.write(value);
      setRefused(answer);
      setBelow({ text: visibleLines(verdict), problem: true });
      setStatus('idle');
    }
  });
  const message = theme.style.message(config.message, status);
  if (status === 'done') return `${prefix} ${message} ${theme.style.answer(value)}`;
  const offered = value === '' && standing !== '' ? ` ${theme.style.defaultAnswer(standing)}` : '';
  const paint = below?.problem === true ? theme.style.error : theme.style.help;
  return [`${prefix} ${message}${offered} ${visible(value)}`, below === null ? '' : paint(below.text)];
});

function previewLater(
  { preview }: PreviewQuestion,
  answer: string,
  show: (below: Below | null) => void,
): () => void {
  show(null);
  if (answer === '') return () => undefined;
  let current = true;
  const timer = setTimeout(() => {
    const settle = (text: Visible) => current && show({ text: shown`  ${text}`, problem: false });
    // A preview that fails is no preview; the answer itself is checked with the Enter key.
    preview(answer).then(settle, () => undefined);
  }, PREVIEW_PAUSE_MS);
  return () => {
    current = false;
    clearTimeout(timer);
  };
}
