import { shown, visible } from '../text.ts';
import type { Streams } from './streams.ts';

/** Takes away the `^C` that a terminal shows for Ctrl-C, where the next line is to begin. */
export function wipeEcho({ animated, raw }: Streams): void {
  if (animated) terminalOf(raw).write(shown`\r\u001b[K`);
}

/** Shows a spinner on stderr while the work goes on, where a person watches; otherwise just does the work. */
export async function withProgress<T>(streams: Streams, text: string, work: () => Promise<T>): Promise<T> {
  if (!streams.animated) return work();
  const { default: ora } = await import('ora');
  const { colour } = await streams.noteStyle();
  const spinner = ora({
    text: visible(text),
    // ora would decide both by itself, and by other rules.
    isEnabled: true,
    color: colour ? 'cyan' : false,
    stream: terminalOf(streams.raw),
    discardStdin: false,
    // What would show the cursor again listens for signals too, and then ends the process before it can say a word.
    hideCursor: false,
  }).start();
  try {
    return await work();
  } finally {
    spinner.stop();
  }
}

/** Standard error as a library wants it that draws for itself. */
function terminalOf({ stderr }: Streams['raw']): NodeJS.WriteStream {
  return stderr as NodeJS.WriteStream;
}
