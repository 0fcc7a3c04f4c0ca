import { createReadStream } from 'node:fs';
import type { Context } from '../../../context.ts';
import { SwapctlError } from '../../../errors.ts';
import { unreadableFile, writeOutputFile } from '../../../files.ts';
import { writeJson } from '../../../partner-api/json.ts';
import type { LearnedFrom } from '../../../sandbox/recording/learn/learn.ts';
import { learnFrom } from '../../../sandbox/recording/learn/learn.ts';
import { shown, visible, visibleJson } from '../../../text.ts';
import { learnedView } from '../../../views/checks/learned.ts';

/** Parsed arguments of `swapctl sandbox learn`. */
export interface LearnOptions {
  readonly file: string;
  /** File of the overlay; null for standard output. */
  readonly output: string | null;
  /** The service to learn from; null for the only one. */
  readonly host: string | null;
}

/** Learns from a HAR file: the overlay goes to its file, or to standard output; what is missing is told. */
export async function learn(context: Context, { file, output, host }: LearnOptions): Promise<void> {
  const { streams } = context;
  const found = await readFrom(file, host);
  const { overlay, learned, missing, service, calls, warnings } = found;
  for (const warning of warnings) await streams.warn(warning);
  const text = shown`${visibleJson(overlay, (value) => writeJson(value, 2))}\n`;
  if (output !== null) writeOutputFile(output, text);
  streams.note(`${calls} ${calls === 1 ? 'call' : 'calls'} to ${visible(service)}`);
  if (output !== null || streams.format === 'json') {
    const plain: unknown = JSON.parse(writeJson(overlay));
    await streams.print(learnedView({ service, calls, file: output, overlay: plain, learned, missing }));
    if (output !== null)
      streams.note(
        `The overlay is in ${output}. A sandbox like it: swapctl sandbox start --overlay ${output}`,
      );
    return;
  }
  await streams.write(text);
  for (const { point, call } of missing) streams.note(`not shown: ${point}; ${call}`);
}

async function readFrom(file: string, host: string | null): Promise<LearnedFrom> {
  try {
    return await learnFrom(createReadStream(file), host);
  } catch (error) {
    throw error instanceof SwapctlError ? error : unreadableFile(file, error);
  }
}
