import { ADDRESSES } from '../helpers/swap-service.ts';
import type { PassedAnswer, Tamper } from '../helpers/tampering-proxy.ts';
import { rewriting, wireBytes } from '../helpers/tampering-proxy.ts';

/** The payout address of every swap. */
export const XLM = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const OTHER_XLM = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7';

/** How a proxy changes the response to a create, and the words of the error. */
export const AT_CREATE: readonly (readonly [name: string, rule: Tamper, says: RegExp])[] = [
  [
    'another payout address',
    rewriting(({ pairs }) => (pairs.receive.address = OTHER_XLM)),
    /its payout address is GAAZ/,
  ],
  [
    'another address in the payout transaction',
    rewriting(({ receiveTransaction }) => (receiveTransaction.address = OTHER_XLM)),
    /its payout goes to another address: GAAZ/,
  ],
  ['no payout memo', rewriting(({ pairs }) => (pairs.receive.memo = '')), /it pays without the memo 12345/],
  [
    'another payout memo',
    rewriting(({ pairs }) => (pairs.receive.memo = '12346')),
    /its payout memo is 12346/,
  ],
  [
    'no deposit address',
    rewriting(({ pairs }) => delete pairs.deposit.address),
    /deposit address is missing/,
  ],
  [
    'ten times the deposit',
    rewriting(({ pairs }) => (pairs.deposit.coin.value = 1000)),
    /asks for a deposit of 1000 instead of 100/,
  ],
  ['a payout of zero', rewriting(({ pairs }) => (pairs.receive.coin.value = 0)), /it pays nothing/],
  [
    'a payout in the coin of the deposit',
    rewriting(({ pairs }) => (pairs.receive.coin.name = 'XRP')),
    /its payout is in XRP/,
  ],
  [
    'another deposit network',
    rewriting(({ pairs }) => (pairs.deposit.coin.network = 'BSC')),
    /its deposit is in /,
  ],
  ['another rate type', rewriting(({ type }) => (type.typeSwap = 2)), /rate is float instead of fixed/],
  ['the status success', rewriting((swap) => Object.assign(swap, { status: 4 })), /already ended as success/],
  ['the status confirmation', rewriting((swap) => Object.assign(swap, { status: 1 })), /it started before/],
  ['no status', rewriting((swap) => delete swap.status), /no readable status/],
  ['no order number', rewriting((swap) => delete swap.orderNumber), /no order number/],
  [
    'an order number that is a flag',
    rewriting((swap) => Object.assign(swap, { orderNumber: '--exec=sh' })),
    /unexpected characters/,
  ],
  [
    'an address with hidden characters',
    rewriting(({ pairs }) => (pairs.deposit.address += '\u202e')),
    /invalid characters/,
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

/** How a proxy changes later responses about an order, and the words of the warning. */
export const LATER: readonly (readonly [name: string, rule: Tamper, says: RegExp])[] = [
  ...AT_CREATE.slice(0, 4),
  [
    'another deposit address',
    rewriting(({ pairs }) => (pairs.deposit.address = ADDRESSES.xrpDeposit)),
    /deposit address is now rN7n\w+ instead of r/,
  ],
  ['no deposit memo', rewriting(({ pairs }) => (pairs.deposit.memo = '')), /no longer shows a deposit memo/],
  [
    'another deposit memo',
    rewriting(({ pairs }) => (pairs.deposit.memo = '7')),
    /deposit memo is now 7 instead of/,
  ],
  ['ten times the deposit', rewriting(({ pairs }) => (pairs.deposit.coin.value = 1000)), /deposit of 1000/],
  [
    'a lower payout at a fixed rate',
    rewriting(({ pairs }) => (pairs.receive.coin.value *= 0.99)),
    /it pays \S+ instead of/,
  ],
  ['another rate type', rewriting(({ type }) => (type.typeSwap = 2)), /rate is float instead of fixed/],
];
