import { ApiError, PAYLOAD_TOO_LARGE } from '../api-error.ts';
import type { Step } from '../app-env.ts';
import { MAX_BODY_BYTES } from '../assumptions.ts';

const METHODS_WITH_BODY = ['POST', 'PATCH'];

/** Reads the body of a request that has one, up to a limit; a larger one is refused before anything else is asked. */
export const readBody: Step = (context, next) =>
  METHODS_WITH_BODY.includes(context.req.method) ? withBody(context, next) : next();

const withBody: Step = async (context, next) => {
  const announced = Number.parseInt(context.req.header('content-length') ?? '', 10);
  if (announced > MAX_BODY_BYTES) throw new ApiError(413, PAYLOAD_TOO_LARGE);
  // Node sees to it that a body is no longer than announced; one without a length is counted here.
  const text = Number.isNaN(announced) ? await readCounted(context.req.raw.body) : await context.req.text();
  context.set('body', text);
  await next();
};

async function readCounted(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw new ApiError(413, PAYLOAD_TOO_LARGE);
    chunks.push(chunk);
  }
  // As the other way of reading does it, without a byte order mark.
  return new TextDecoder().decode(Buffer.concat(chunks));
}
