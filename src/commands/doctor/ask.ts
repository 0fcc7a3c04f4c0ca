import { errorFromAnswer, errorFromTransport } from '../../client/error-mapping.ts';
import type { SentRequest } from '../../client/request-log.ts';
import { requestLine, toldTransport } from '../../client/request-log.ts';
import { isSuccess } from '../../client/send.ts';
import type { ApiAnswer, ApiRequest } from '../../client/transport.ts';
import { createTransport } from '../../client/transport.ts';
import { TransportError } from '../../client/transport-error.ts';
import type { Context } from '../../context.ts';
import { InterruptedError, type SwapctlError } from '../../errors.ts';
import type { EndpointName } from '../../partner-api/endpoints.ts';
import type { Service } from '../../swaps/ports.ts';

/** Time for one request, in milliseconds; a service that is well answers in a fraction of it. */
const MAX_ANSWER_MS = 10_000;

/** The parts of a service that a request needs. */
export type Target = Pick<Service, 'baseUrl' | 'credentials' | 'proxy'>;

/** One request that was sent once, and what came of it. */
export interface Asked {
  readonly endpoint: EndpointName;
  /** Null where no whole answer came. */
  readonly answer: ApiAnswer | null;
  /** Null for a success. */
  readonly error: SwapctlError | null;
  /** Why no whole answer came; null where one did. */
  readonly failure: TransportError | null;
  readonly milliseconds: number;
  /** This machine's clock halfway between request and answer, in milliseconds since 1970. */
  readonly at: number;
}

/** Sends a request once and never throws but for an interruption. */
export type Ask = (request: ApiRequest) => Promise<Asked>;

/** Makes an {@link Ask} for a service. */
export function asker(context: Context, target: Target): Ask {
  const { signal, flags, now, monotonic } = context;
  const timeoutMs = Math.min(flags.timeout ?? MAX_ANSWER_MS, MAX_ANSWER_MS);
  const tell = (sent: SentRequest) => context.notify({ level: 'debug', text: requestLine(sent) });
  const transport = toldTransport(createTransport({ ...target, timeoutMs, signal }), monotonic, tell);
  const { host } = new URL(target.baseUrl);
  return async (request) => {
    const [began, started] = [now(), monotonic()];
    const done = () => ({
      endpoint: request.endpoint,
      milliseconds: Math.round(monotonic() - started),
      at: (began + now()) / 2,
    });
    try {
      const answer = await transport(request);
      const error = isSuccess(answer) ? null : errorFromAnswer(answer, target);
      return { ...done(), answer, error, failure: null };
    } catch (failure) {
      if (!(failure instanceof TransportError)) throw failure;
      const error = errorFromTransport(failure, host, signal);
      if (error instanceof InterruptedError) throw error;
      return { ...done(), answer: null, error, failure };
    }
  };
}
