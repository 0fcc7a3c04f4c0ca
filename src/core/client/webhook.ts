import { got, type Request, type Response } from 'got';
import { certificateAdvice, describeTransportError } from './error-mapping.ts';
import { type ProxyServer, singleUseAgents } from './proxy.ts';
import { receiveAnswer } from './transport.ts';
import { TransportError } from './transport-error.ts';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** Time limit of the whole attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly proxy: ProxyServer | null;
}

/** Maximum wait for the rest of an answer, in milliseconds: cutting it off could look like an error to the receiver. */
const MAX_BODY_WAIT_MS = 1_000;

/** Sends a webhook once, follows no redirect, and reads only the status. Never throws for what a receiver does. */
export async function sendWebhook(request: WebhookRequest) {
  const { url, headers, body, timeoutMs, proxy } = request;
  const { agents, hangUp } = singleUseAgents(proxy, timeoutMs);
  const stream = got.stream(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'swapctl', ...headers },
    body,
    agent: agents,
    followRedirect: false,
    throwHttpErrors: false,
    retry: { limit: 0 },
  });
  try {
    const status = await statusOf(stream, timeoutMs);
    return { httpStatus: status, error: refusal(status) };
  } catch (thrown) {
    const failure = TransportError.from(thrown, true, null);
    const error = describeTransportError(failure, new URL(url).host).replace(/\.$/, '');
    const advice = failure.kind === 'certificate' ? `. ${certificateAdvice(failure.systemCode)}` : '';
    return { httpStatus: failure.status, error: `${error}${advice}` };
  } finally {
    hangUp();
  }
}

function refusal(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const redirected = status >= 300 && status < 400;
  return `responded with ${status}${redirected ? '; redirects are not followed' : ''}`;
}

/** The status of the answer, after its body was received or {@link MAX_BODY_WAIT_MS} has passed. */
async function statusOf(stream: Request, timeoutMs: number): Promise<number> {
  let status: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  stream.once('response', ({ statusCode }: Response) => {
    status = statusCode;
    timer = setTimeout(() => stream.destroy(), MAX_BODY_WAIT_MS);
  });
  try {
    return (await receiveAnswer(stream, timeoutMs)).status;
  } catch (error) {
    if (status === undefined) throw error;
    return status;
  } finally {
    clearTimeout(timer);
  }
}
