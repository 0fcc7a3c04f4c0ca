import type { Context } from '../../../context.ts';
import { UsageError } from '../../../errors.ts';
import { writeOutputFile } from '../../../files.ts';
import { writeJson } from '../../../partner-api/json.ts';
import { learnFrom } from '../../../sandbox/recording/learn/learn.ts';
import { openInput } from '../../../terminal/input.ts';
import { counted, shown, visible, visibleJson } from '../../../text.ts';
import { learnedView } from '../../../views/sandbox/recording.ts';

const MIB = 1024 * 1024;
/** Maximum size of a HAR file: more than `sandbox record` writes, even if each character takes three bytes. */
const MAX_HAR_BYTES = 256 * MIB;

export interface LearnOptions {
  readonly file: string;
  /** File of the overlay; null for standard output. */
  readonly output: string | null;
  /** The service to learn from; null for the only one. */
  readonly host: string | null;
}

/** Learns from a HAR file: the overlay goes to its file, or to standard output; missing points are reported. */
export async function learn(context: Context, { file, output, host }: LearnOptions): Promise<void> {
  const { streams, signal } = context;
  const { bytes } = openInput(file, { stdin: streams.raw.stdin, signal });
  const found = await learnFrom(bounded(bytes, file), host);
  const { overlay, learned, missing, service, calls } = found;
  const text = shown`${visibleJson(overlay, (value) => writeJson(value, 2))}\n`;
  if (output !== null) writeOutputFile(output, text);
  streams.note(`${counted(calls, 'call')} to ${visible(service)}`);
  if (output !== null || streams.format === 'json') {
    const plain: unknown = JSON.parse(writeJson(overlay));
    await streams.print(learnedView({ service, calls, file: output, overlay: plain, learned, missing }));
    if (output !== null)
      streams.note(
        `Wrote the overlay to ${output}. To use it, run: swapctl sandbox start --overlay ${output}`,
      );
    return;
  }
  await streams.write(text);
  for (const { point, call } of missing) streams.note(`not shown: ${point}; ${call}`);
}

/** Refuses a file that never ends, such as a device, or that is larger than any recording. */
async function* bounded(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_HAR_BYTES)
      throw new UsageError(
        `The file ${file} is larger than ${MAX_HAR_BYTES / MIB} MB.`,
        'Keep only the calls to the service in the HAR file, or record fewer.',
      );
    yield chunk;
  }
}
