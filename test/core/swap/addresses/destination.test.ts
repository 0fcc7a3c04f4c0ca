import { describe, expect, test } from 'vitest';
import { checkDestination } from '../../../../src/core/swap/addresses/destination.ts';

const CLASSIC = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf';
const X_WITH_TAG = 'XVLhHMPHU98es4dbozjVtdWzVrDjtVozpjdhPQVdt3ghaWw'; // tag 65591
const X_WITHOUT_TAG = 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb';
const G = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const M = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK'; // id 2^63
const BTC = 'bc1qvyq0cc6rahyvsazfdje0twl7ez82ndmuac2lhv';

describe('a memo on a network that requires one', () => {
  test('is reported as memo_required when missing', async () => {
    expect(await checkDestination('XRP', CLASSIC, null)).toMatchObject({ ok: false, code: 'memo_required' });
    expect(await checkDestination('XLM', G, undefined)).toMatchObject({ ok: false, code: 'memo_required' });
  });

  test('may be missing if waived with --no-memo', async () => {
    expect(await checkDestination('XRP', CLASSIC, null, { memoWaived: true })).toMatchObject({
      ok: true,
      memo: null,
    });
  });

  test('is returned with the address', async () => {
    expect(await checkDestination('XRP', CLASSIC, '7')).toMatchObject({
      ok: true,
      memo: '7',
      address: { canonical: CLASSIC },
    });
  });

  test('is rejected when malformed', async () => {
    expect(await checkDestination('XRP', CLASSIC, '07')).toMatchObject({ ok: false, code: 'invalid_memo' });
  });
});

describe('a tag inside an address', () => {
  test('becomes the memo when none is given', async () => {
    expect(await checkDestination('XRP', X_WITH_TAG, null)).toMatchObject({
      memo: '65591',
      address: { kind: 'x-address', canonical: CLASSIC, tag: '65591' },
    });
    expect(await checkDestination('XLM', M, null)).toMatchObject({
      memo: '9223372036854775808',
      address: { kind: 'muxed', canonical: G, memoId: '9223372036854775808' },
    });
  });

  test('may be repeated as the memo, but not contradicted', async () => {
    expect(await checkDestination('XRP', X_WITH_TAG, '65591')).toMatchObject({ ok: true, memo: '65591' });
    expect(await checkDestination('XRP', X_WITH_TAG, '65592')).toMatchObject({ code: 'invalid_memo' });
    expect(await checkDestination('XLM', M, '1')).toMatchObject({ ok: false, code: 'invalid_memo' });
  });

  test('must be given as the memo if an X-address contains none', async () => {
    expect(await checkDestination('XRP', X_WITHOUT_TAG, null)).toMatchObject({ code: 'memo_required' });
    expect(await checkDestination('XRP', X_WITHOUT_TAG, '5')).toMatchObject({ ok: true, memo: '5' });
  });
});

describe('a memo on a network without memos', () => {
  test('is not required', async () => {
    expect(await checkDestination('BTC', BTC, null)).toMatchObject({ ok: true, memo: null });
  });

  test('is rejected', async () => {
    expect(await checkDestination('BTC', BTC, 'x')).toMatchObject({ ok: false, code: 'invalid_memo' });
  });

  test('is required if the coin list requires one', async () => {
    expect(await checkDestination('BTC', BTC, null, { memoNeeded: true })).toMatchObject({
      code: 'memo_required',
    });
    expect(await checkDestination('BTC', BTC, 'x', { memoNeeded: true })).toMatchObject({ memo: 'x' });
  });
});

test('a Zcash memo is accepted only with a shielded address', async () => {
  const shielded = 'zs1wkejr23wqa9ptpvv73ch3wr96lh8gnyx3689skmyttljy4nyfj69eyclukwkxrhr3rrkgxvnur0';
  expect(await checkDestination('ZEC', shielded, 'thanks')).toMatchObject({ ok: true, memo: 'thanks' });
  expect(await checkDestination('ZEC', 't1RygJmrLdNGgi98gUgEJDTVaELTAYWoMBy', 'thanks')).toMatchObject({
    code: 'invalid_memo',
  });
});

test('an invalid address is reported before an invalid memo', async () => {
  expect(await checkDestination('XRP', 'r', 'bad memo ')).toMatchObject({
    ok: false,
    code: 'invalid_address',
  });
});

test('a destination on an unknown network may have any plain memo', async () => {
  expect(await checkDestination('NOSUCHNET', 'some-account', 'hello')).toMatchObject({
    memo: 'hello',
    address: { verified: false },
  });
});

test('an XRP Ledger black hole address is never payable', async () => {
  const hole = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
  expect(await checkDestination('XRP', hole, '1')).toMatchObject({ ok: false, code: 'invalid_address' });
});
