import { describe, expect, it } from 'vitest';
import {
  describeTransportError,
  errorFromAnswer,
  errorFromTransport,
  readServiceMessage,
  wrongPlaceHint,
} from '../../../src/core/client/error-mapping.ts';
import { TransportError } from '../../../src/core/client/transport-error.ts';
import { MESSAGES } from '../../../src/core/partner-api/messages.ts';

const answer = (status: number, text = '', retryAfter: string | null = null) => ({
  status,
  text,
  retryAfter,
  headers: {},
});
const HOST = 'api.example.com';

describe('an error response', () => {
  it.each([
    ...([408, 425, 460, 499, 500, 503] as const).map((status) => [status, 'service_error', true] as const),
    ...([300, 301, 399] as const).map((status) => [status, 'bad_response', false] as const),
    ...([402, 409, 424, 451] as const).map((status) => [status, 'rejected', false] as const),
    [429, 'rate_limited', true] as const,
  ])('with status %d is %s, retryable: %s', (status, code, retryable) => {
    expect(errorFromAnswer(answer(status))).toMatchObject({ code, retryable, httpStatus: status });
  });

  it.each<[retryAfter: string | null, words: string, details: unknown]>([
    ['3', 'Wait 3 s, ', { retryAfterSeconds: 3 }],
    [null, 'Wait a minute, ', null],
    ['Sat, 31 Jan 2026 12:00:00 GMT', 'Wait a minute, ', null],
    ['1000000', 'Wait a minute, ', null],
  ])('with Retry-After %j has a hint that begins with %j', (retryAfter, words, details) => {
    const error = errorFromAnswer(answer(429, '', retryAfter));
    expect([error.hint?.startsWith(words), error.details]).toEqual([true, details]);
  });

  it('about the key pair names the variables that it comes from', () => {
    const variables = { publicKey: 'MY_KEY', secret: 'MY_SECRET' };
    const hints = (message: string, more?: { variables?: typeof variables }) => {
      const credentials = more && { credentials: { publicKey: 'pk', secret: 'sk', ...more } };
      return errorFromAnswer(answer(403, JSON.stringify({ message })), { ...credentials }).hint;
    };
    const login =
      'Check the key pair with `swapctl auth status`, or store it again with `swapctl auth login`.';
    const secret = 'The secret does not belong to this public key.';
    expect(hints(MESSAGES.INVALID_SIGNATURE)).toBe(`${secret} ${login}`);
    expect(hints(MESSAGES.INVALID_SIGNATURE, { variables })).toBe(
      `${secret} Both come from the environment: fix MY_SECRET or MY_KEY.`,
    );
    expect(hints(MESSAGES.INVALID_PUBLIC_KEY, {})).toContain(login);
    expect(hints(MESSAGES.INVALID_PUBLIC_KEY, { variables })).toContain('fix MY_KEY, or SWAPCTL_BASE_URL');
  });

  it('from outside the API names the path of the base URL', () => {
    const whole = 'This response is not from the partner API. Check the base URL of the profile.';
    expect([wrongPlaceHint(), wrongPlaceHint('https://api.example.com')]).toEqual([whole, whole]);
    expect(wrongPlaceHint('https://api.example.com/v2')).toContain(
      'under the path /v2 of the base URL. Try https://api.example.com,',
    );
  });
});

describe("the service's message", () => {
  const messageOf = (body: unknown) => readServiceMessage(answer(400, JSON.stringify(body))).message;

  it('is cut after 500 characters', () => {
    expect(messageOf({ message: 'a'.repeat(500) })).toBe('a'.repeat(500));
    expect(messageOf({ message: 'a'.repeat(501) })).toBe(`${'a'.repeat(500)}…`);
    expect(messageOf({ message: '\u001b'.repeat(20_000) })).toHaveLength(501);
    expect(messageOf(null)).toBe('The service answered 400 without a message');
  });

  it('with several texts is cut after 2,000 characters, and counts the rest', () => {
    const texts = 'abcde'.split('').map((letter) => letter.repeat(500));
    expect(messageOf({ message: texts.slice(0, 4) })).toBe(texts.slice(0, 4).join('; '));
    expect(messageOf({ message: texts })).toBe(`${texts.slice(0, 4).join('; ')}; and 1 more`);
    const longer = [...texts.slice(0, 3), 'd'.repeat(499), 'ee'];
    expect(messageOf({ message: longer })).toBe(`${longer.slice(0, 4).join('; ')}; and 1 more`);
    const cut = texts.slice(0, 3).map((text) => `${text}…`);
    const huge = texts.map((text) => text.repeat(20));
    expect(messageOf({ message: huge })).toBe(`${cut.join('; ')}; and 2 more`);
    expect(readServiceMessage(answer(400, JSON.stringify({ message: huge }))).list).toEqual(cut);
  });
});

it('a failure through a proxy states whether the proxy could be used', () => {
  const proxy = { host: 'proxy:3128', variable: 'HTTPS_PROXY' };
  const through = (status: number | null, code: string | null = null) =>
    new TransportError('proxy', false, code, null, { ...proxy, status });
  const words = (...failure: Parameters<typeof through>) => describeTransportError(through(...failure), HOST);
  expect(words(null, 'ECONNREFUSED')).toBe('The proxy proxy:3128 could not be used (ECONNREFUSED).');
  expect(words(403)).toBe(`The proxy proxy:3128 refused to connect to ${HOST} (HTTP status 403).`);
  const error = (status: number) => errorFromTransport(through(status), HOST);
  expect(error(407).hint).toContain('HTTPS_PROXY=http://user:password@host:port');
  expect(error(408).hint).toContain('hosts in NO_PROXY bypass it');
});

it('a request aborted by swapctl has no system error code', () => {
  expect(describeTransportError(new TransportError('interrupted', true, 'ABORT_ERR'), HOST)).toBe(
    `${HOST} did not respond before swapctl was interrupted.`,
  );
});

it('a system error code that is not a short word is not repeated', () => {
  for (const code of ['Bearer sk-1', 'A'.repeat(61), undefined]) {
    const failure = TransportError.from(Object.assign(new Error('words'), { code }), true, 502);
    expect(failure).toMatchObject({ kind: 'broken', systemCode: null, status: 502, sent: true });
  }
  const other = TransportError.from('no error', false, null);
  expect(other).toMatchObject({ kind: 'unreachable', systemCode: null });
});
