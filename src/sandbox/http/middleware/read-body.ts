import type { Decisions } from '../../habits/decisions.ts';
import { BODY_TYPE } from '../../state/assumptions.ts';
import { ApiError, PAYLOAD_TOO_LARGE, UNSUPPORTED_TYPE } from '../api-error.ts';
import { bodyBytes } from '../body-bytes.ts';
import type { AppContext, Step } from '../request-state.ts';

const METHODS_WITH_BODY = ['POST', 'PATCH'];

/**
 * Reads the body of a request that has one. A body that is too large, or that is declared as anything but plain JSON,
 * is refused before any other check.
 */
export function readBody({ maxBodyBytes }: Pick<Decisions, 'maxBodyBytes'>): Step {
  return (context, next) =>
    METHODS_WITH_BODY.includes(context.req.method) ? readChecked(context, next, maxBodyBytes) : next();
}

async function readChecked(context: AppContext, next: Parameters<Step>[1], largest: number): Promise<void> {
  const { headers } = context.env.incoming;
  const announced = Number.parseInt(headers['content-length'] ?? '', 10);
  if (announced > largest) throw new ApiError(413, PAYLOAD_TOO_LARGE);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (!BODY_TYPE.test(headers['content-type'] ?? '') || encoding.toLowerCase() !== 'identity')
    throw new ApiError(415, UNSUPPORTED_TYPE);
  // Node holds a body to its announced length; one without a length is counted here.
  context.set('body', await bytesOf(context, Number.isNaN(announced) ? largest : null));
  await next();
}

/** The body; `largest` is null where its length was announced, to which Node holds it. */
async function bytesOf(context: AppContext, largest: number | null): Promise<Uint8Array> {
  try {
    return largest === null
      ? new Uint8Array(await context.req.arrayBuffer())
      : await bodyBytes(context.req.raw.body, largest, () => new ApiError(413, PAYLOAD_TOO_LARGE));
  } catch (error) {
    // A client that disconnects in the middle of its body is not an error of ours; nobody reads the answer.
    throw error instanceof ApiError ? error : new ApiError(400, 'Bad Request');
  }
}
