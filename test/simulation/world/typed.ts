const HEADINGS = 'from,to,amount,address';
const ROW = 'BTC,ETH,0.2,0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** A list that is longer than any number of failures in a row that a batch may go on after. */
export const LONG_LIST = [
  HEADINGS,
  ...Array.from({ length: 15 }, (_, row) => ROW.replace('0.2', `0.4${row + 10}`)),
].join('\n');

/** Fields of a request that the API defines as texts, and a text that could be a number with more digits than a double. */
export const TEXT_FIELDS =
  'id depositCoin depositNetwork receiveCoin receiveNetwork receiveAddress refundAddress memo lastSource'.split(
    ' ',
  );
export const DIGITS = '12345678901234567890';

const ENTRY = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g;
/** Flags of an export of swaps, and what it has of each of them. */
export const EXPORTS: readonly (readonly [flags: readonly string[], swap: RegExp])[] = [
  [['--format', 'koinly'], /order \w+/g],
  [['--format', 'beancount'], /^ {2}order: "\w+"/gm],
  [['--csv'], ENTRY],
  [['--json'], ENTRY],
];

const PAID = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const UNPAID = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
/** Creates where one address was paid, in ETH, and how they end. */
export const RECIPIENTS: readonly (readonly [exitCode: number, args: readonly string[]])[] = [
  [0, ['BTC', 'ETH', '0.11', '-a', PAID]],
  [12, ['BTC', 'ETH', '0.11', '-a', UNPAID]],
  [12, ['BTC', 'USDT:ETH', '0.11', '-a', PAID]],
  [12, ['USDT:ETH', 'ETH', '500', '-a', PAID, '--refund-address', PAID]],
  [12, ['BTC', 'ETH', '0.12', '-a', PAID, '--refund-address', 'tb1q2dq5u3zzfav84u9qzemxp5ajsrd22966wa3y99']],
];

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
