import type { MoveVerb } from '../../../src/sandbox/orders/order.ts';

/** A swap that a script creates, what happens to it, and whether a person is needed then. */
export interface StateOfSwap {
  readonly name: string;
  /** Minutes for which it is there. */
  readonly age?: number;
  readonly hasRefundAddress?: boolean;
  /** When its deposit arrives, if one does. */
  readonly deposit?: 'at once' | 'at the end';
  readonly moves?: readonly MoveVerb[];
  /** Parts of what the service says about it from then on. */
  readonly says?: (text: string) => string;
  readonly needs: boolean;
}

/** What can become of a swap. */
export const STATES: readonly StateOfSwap[] = [
  { name: 'new', needs: false },
  { name: 'confirmed', deposit: 'at once', needs: false },
  { name: 'on hold', deposit: 'at once', moves: ['pause'], needs: true },
  { name: 'frozen', deposit: 'at once', moves: ['freeze'], needs: true },
  { name: 'on hold before', deposit: 'at once', moves: ['pause', 'resume'], needs: false },
  { name: 'failed', deposit: 'at once', moves: ['fail'], needs: true },
  {
    name: 'failed with an address',
    hasRefundAddress: true,
    deposit: 'at once',
    moves: ['fail'],
    needs: true,
  },
  { name: 'refunded', hasRefundAddress: true, deposit: 'at once', moves: ['fail', 'refund'], needs: false },
  { name: 'refunded to nowhere', deposit: 'at once', moves: ['fail', 'refund'], needs: true },
  { name: 'paid', deposit: 'at once', moves: ['succeed'], needs: false },
  {
    name: 'paid elsewhere',
    deposit: 'at once',
    moves: ['succeed'],
    says: (text) =>
      text.replace(
        '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      ),
    needs: true,
  },
  { name: 'overdue', age: 31, needs: false },
  { name: 'paid late', age: 31, deposit: 'at the end', needs: false },
  { name: 'paid too late', age: 200, deposit: 'at the end', needs: true },
  {
    name: 'said to be late',
    deposit: 'at once',
    says: (text) => text.replace(/"status":\d+/, '"status":5'),
    needs: true,
  },
  { name: 'to be paid soon', age: 25.5, needs: true },
  { name: 'to be paid later', age: 18, needs: false },
  { name: 'paid in its last minutes', age: 26, deposit: 'at the end', needs: false },
];

const HEADINGS = 'from,to,amount,address';
const ROW = 'BTC,ETH,0.2,0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** A list on standard input, and how many creates it may send; none where any part of it is wrong. */
export const LISTS: readonly {
  readonly input: string;
  readonly flags?: readonly string[];
  readonly sends: number;
}[] = [
  { input: `${HEADINGS}\n${ROW}\n`, sends: 1 },
  { input: `\ufeff${HEADINGS}\r\n${ROW.replace('0.2', '0.21')},,\r\n`, sends: 1 },
  { input: `${HEADINGS},label.team\n${ROW.replace('0.2', '0.22')}\n`, sends: 1 },
  { input: `${HEADINGS}\n${ROW.replace('0.2', '0.23')}\n${ROW.replace('BeAed', 'BeAeD')}\n`, sends: 0 },
  { input: `${HEADINGS}\n${ROW.replace('0.2', '0.24')}\n${ROW.replace('0.2', '0')}\n`, sends: 0 },
  { input: `${HEADINGS},colour\n${ROW.replace('0.2', '0.25')},red\n`, sends: 0 },
  { input: `${HEADINGS},adress\n${ROW.replace('0.2', '0.26')},\n`, sends: 0 },
  { input: `${HEADINGS},amount\n${ROW.replace('0.2', '0.27')},0.2\n`, sends: 0 },
  { input: `${HEADINGS}\n${ROW.replace('0.2', '0.28')},12345\n`, sends: 0 },
  { input: `${HEADINGS}\nBTC,ETH,0.29\n`, sends: 0 },
  { input: `${HEADINGS},\n${ROW.replace('0.2', '0.3')},12345\n`, sends: 0 },
  {
    input: `${HEADINGS},colour\n${ROW.replace('0.2', '0.31')},red\n`,
    flags: ['--map', 'amount=amount'],
    sends: 1,
  },
  {
    input:
      '{"from":"BTC","to":"ETH","amount":"0.32","amount":"0.2","address":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"}\n',
    sends: 0,
  },
  {
    input:
      '{"from":"BTC","to":"ETH","amount":"0.33","address":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"}\n',
    sends: 1,
  },
  {
    input:
      '{"from":"BTC","to":"ETH","amount":0.34,"address":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed","adress":"x"}\n',
    sends: 0,
  },
];

/** A list that is longer than any number of failures in a row that a batch may go on after. */
export const LONG_LIST = [
  HEADINGS,
  ...Array.from({ length: 15 }, (_, row) => ROW.replace('0.2', `0.4${row + 10}`)),
].join('\n');

/** Texts that a spreadsheet would run. */
export const FORMULAS = ['=1+1', ' =1+1', '@SUM', '＝1+1', '－1', "+1'2", '|cmd', '%1'];

/** Must stay within a code span of Markdown. */
export const MARK = 'PAY-TO';

/** What a service may say where it names a transaction. */
export const TRANSACTIONS = [
  `a\u001b]0;${MARK}\u0007`,
  `a\u202e${MARK}`,
  `a\u0085${MARK}`,
  `a\n- ${MARK}`,
  `a\r\n# ${MARK}`,
  `a\` ${MARK} \`b`,
  `\`\` ${MARK}`,
  `a\`\`\` ${MARK}`,
];
