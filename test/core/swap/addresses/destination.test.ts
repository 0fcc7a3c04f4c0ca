import { expect, test } from 'vitest';
import { checkDestination } from '../../../../src/core/swap/addresses/destination.ts';

const CLASSIC = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf';
const X_WITH_TAG = 'XVLhHMPHU98es4dbozjVtdWzVrDjtVozpjdhPQVdt3ghaWw'; // tag 65591
const X_WITHOUT_TAG = 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb';
const G = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const M = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK'; // id 2^63
const BTC = 'bc1qvyq0cc6rahyvsazfdje0twl7ez82ndmuac2lhv';
const HOLE = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
const SHIELDED = 'zs1wkejr23wqa9ptpvv73ch3wr96lh8gnyx3689skmyttljy4nyfj69eyclukwkxrhr3rrkgxvnur0';
const TRANSPARENT = 't1RygJmrLdNGgi98gUgEJDTVaELTAYWoMBy';

const taken = (memo: string | null, address: object = {}) => ({ ok: true, memo, address });
const refused = (code: string) => ({ ok: false, code });

const IN_ADDRESS = taken('65591', { kind: 'x-address', canonical: CLASSIC, tag: '65591' });
const ID = '9223372036854775808';
const IN_MUXED = taken(ID, { kind: 'muxed', canonical: G, memoId: ID });
const WAIVED = { memoWaived: true };
const NEEDED = { memoNeeded: true };

test.each<[string, Parameters<typeof checkDestination>, object]>([
  ['a missing memo that the network requires', ['XRP', CLASSIC, null], refused('memo_required')],
  ['a memo that is undefined', ['XLM', G, undefined], refused('memo_required')],
  ['a memo waived with --no-memo', ['XRP', CLASSIC, null, WAIVED], taken(null)],
  ['a memo with its address', ['XRP', CLASSIC, '7'], taken('7', { canonical: CLASSIC })],
  ['a malformed memo', ['XRP', CLASSIC, '07'], refused('invalid_memo')],
  ['a tag inside an address', ['XRP', X_WITH_TAG, null], IN_ADDRESS],
  ['a memo ID inside an address', ['XLM', M, null], IN_MUXED],
  ['a tag inside an address, and the same memo', ['XRP', X_WITH_TAG, '65591'], taken('65591')],
  ['a tag inside an address, and another memo', ['XRP', X_WITH_TAG, '65592'], refused('invalid_memo')],
  ['a memo ID inside an address, and another memo', ['XLM', M, '1'], refused('invalid_memo')],
  ['an X-address without a tag, and no memo', ['XRP', X_WITHOUT_TAG, null], refused('memo_required')],
  ['an X-address without a tag, and a memo', ['XRP', X_WITHOUT_TAG, '5'], taken('5')],
  ['no memo on a network without memos', ['BTC', BTC, null], taken(null)],
  ['a memo on a network without memos', ['BTC', BTC, 'x'], refused('invalid_memo')],
  ['a missing memo that the coin list requires', ['BTC', BTC, null, NEEDED], refused('memo_required')],
  ['a memo that the coin list requires', ['BTC', BTC, 'x', NEEDED], taken('x')],
  ['a memo with a shielded Zcash address', ['ZEC', SHIELDED, 'thanks'], taken('thanks')],
  ['a memo with another Zcash address', ['ZEC', TRANSPARENT, 'thanks'], refused('invalid_memo')],
  ['an invalid address before an invalid memo', ['XRP', 'r', 'bad memo '], refused('invalid_address')],
  [
    'any plain memo on an unknown network',
    ['NONE', 'some-account', 'hello'],
    taken('hello', { verified: false }),
  ],
  ['a black hole of the XRP Ledger', ['XRP', HOLE, '1'], refused('invalid_address')],
])('checkDestination judges %s', async (_, asked, verdict) => {
  expect(await checkDestination(...asked)).toMatchObject(verdict);
});
