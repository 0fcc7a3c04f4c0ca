import type { Streams } from './streams.ts';

/** Shows a spinner on stderr while the work goes on, where a person watches; otherwise just does the work. */
export async function withProgress<T>(streams: Streams, text: string, work: () => Promise<T>): Promise<T> {
  if (!streams.animated) return work();
  const { default: ora } = await import('ora');
  const spinner = ora({
    text,
    stream: streams.raw.stderr as NodeJS.WriteStream,
    discardStdin: false,
  }).start();
  try {
    return await work();
  } finally {
    spinner.stop();
  }
}
