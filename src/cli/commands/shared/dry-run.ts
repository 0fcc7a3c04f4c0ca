import { joined, shown, visible, visibleJson, visibleLines } from '../../../base/text.ts';
import { type ApiRequest, JSON_HEADERS, requestUrl } from '../../../core/client/transport.ts';
import type { Decision } from '../../../core/ledger/policy/evaluate.ts';
import { AUTH_HEADERS, ENDPOINTS } from '../../../core/partner-api/endpoints.ts';
import { writeJson } from '../../../core/partner-api/json.ts';
import type { Service } from '../../../core/swaps/ports.ts';
import type { Context } from '../../context.ts';
import { flatRows } from '../../terminal/details.ts';
import { decisionText } from './review-text.ts';

/** A request that is not sent, with its body as a value; null if it has none. */
export type UnsentRequest = Pick<ApiRequest, 'endpoint' | 'method' | 'query'> & { readonly content: unknown };

/** Prints the request that would be sent, without the signature, and the decision if there is a policy. */
export async function printDryRun(
  { streams }: Context,
  { baseUrl, credentials }: Pick<Service, 'baseUrl' | 'credentials'>,
  { endpoint, method = ENDPOINTS[endpoint].method, query = {}, content }: UnsentRequest,
  decision: Decision | null,
): Promise<void> {
  const url = requestUrl(baseUrl, { endpoint, query }).href;
  const headers = {
    ...JSON_HEADERS,
    [AUTH_HEADERS.publicKey]: credentials.publicKey,
    [AUTH_HEADERS.signature]: '<redacted>',
    [AUTH_HEADERS.payload]: endpoint,
  };
  const isLimited = decision !== null && (decision.policy !== null || decision.decision !== 'allow');
  const sent = { dryRun: true, request: { method, url, headers, body: content } };
  const result = isLimited ? { ...sent, decision } : sent;
  // Amounts are numbers with all their digits, which JSON.stringify alone would not keep.
  if (streams.format === 'json')
    return streams.write(shown`${visibleJson(streams.select(result), writeJson)}\n`);
  await streams.print({
    json: () => result,
    rows: () =>
      flatRows({
        dryRun: true,
        request: { ...result.request, body: content === null ? null : writeJson(content) },
        ...(isLimited
          ? { decision: decision.decision, reasons: decision.rules.map(({ message }) => message).join(' ') }
          : {}),
      }),
    screen: (style, width) =>
      shown`${style.bold(visible(`${method} ${url}`))}\n${joined(
        Object.entries(headers).map(
          ([name, value]) => shown`${style.dim(visible(`${name}:`))} ${visible(value)}\n`,
        ),
      )}${content === null ? '' : shown`\n${visibleLines(writeJson(content, 2))}\n`}${isLimited ? shown`\n${decisionText(decision, style, width)}` : ''}`,
  });
}
