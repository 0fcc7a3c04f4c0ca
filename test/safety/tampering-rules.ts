import { type PassedAnswer, rewriting, type Tamper, wireBytes } from '../helpers/tampering-proxy.ts';

/** The payout address of every swap. */
export const XLM = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const OTHER_XLM = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7';

/** How a proxy changes a response about an order, and what the error or the warning says; tampered-fields.test.ts changes each field. */
export const CHANGED: readonly (readonly [name: string, rule: Tamper, says: RegExp])[] = [
  [
    'another payout address',
    rewriting(({ pairs }) => (pairs.receive.address = OTHER_XLM)),
    /its payout address is GAAZ/,
  ],
  [
    'ten times the deposit',
    rewriting(({ pairs }) => (pairs.deposit.coin.value = 1000)),
    /asks for a deposit of 1000 instead of 100/,
  ],
];

const wrapped = (status: number, text: string, headers: Record<string, string> = {}): Tamper => {
  return () => ({ status, text, headers });
};

const HTML = '<html><body><h1>502 Bad Gateway</h1></body></html>';
const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';

/** How a proxy makes any response unusable. */
export const UNUSABLE: readonly (readonly [name: string, rule: Tamper])[] = [
  ['cut off', (answer) => ({ bytes: wireBytes(answer).slice(0, -20) })],
  ['cut off with a matching Content-Length', (answer) => ({ ...answer, text: answer.text.slice(0, -20) })],
  ['twice in one body', (answer) => ({ ...answer, text: answer.text + answer.text })],
  ['with a duplicate key', (answer) => ({ ...answer, text: withDuplicateKey(answer) })],
  ['101 Switching Protocols', (answer) => ({ bytes: SWITCHING + wireBytes(answer) })],
  ['a redirect', wrapped(307, '', { location: 'http://127.0.0.1:9/' })],
  ['a 502 page', wrapped(502, HTML, { 'content-type': 'text/html' })],
  ['a page with 200', wrapped(200, HTML, { 'content-type': 'text/html' })],
  ['with a second Content-Length', (answer) => ({ bytes: wireBytes(answer, ['Content-Length: 2']) })],
  ['with an escape in a header', (answer) => ({ bytes: wireBytes(answer, ['X-A: \u001b]0;owned\u0007']) })],
  ['with an empty body put before it', (answer) => ({ bytes: wireBytes(answer, ['X-A: a\r\n\r\n{}']) })],
  ['no bytes', () => ({ bytes: '' })],
];

/** The unusable responses that a read handles differently from a create. */
export const UNUSABLE_READS = UNUSABLE.filter(([name]) => /^(cut off|101|a 502|a redirect)/.test(name));

/** The response with its first key repeated with another value. */
function withDuplicateKey({ text }: PassedAnswer): string {
  return text.replace(/^\{("[^"]*"):/, '{$1:"other",$1:');
}
