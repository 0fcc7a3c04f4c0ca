import { describe, expect, test } from 'vitest';
import { checkDestination } from '../../../../src/core/swap/addresses/destination.ts';

const CLASSIC = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf';
const X_WITH_TAG = 'XVLhHMPHU98es4dbozjVtdWzVrDjtVozpjdhPQVdt3ghaWw'; // tag 65591
const X_WITHOUT_TAG = 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb';
const G = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const M = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK'; // id 2^63
const BTC = 'bc1qvyq0cc6rahyvsazfdje0twl7ez82ndmuac2lhv';

describe('where the network needs a memo', () => {
  test('a missing one is prompted for', async () => {
    expect(await checkDestination('XRP', CLASSIC, null)).toMatchObject({ ok: false, code: 'memo_required' });
    expect(await checkDestination('XLM', G, undefined)).toMatchObject({ ok: false, code: 'memo_required' });
  });

  test('--no-memo waives it', async () => {
    expect(await checkDestination('XRP', CLASSIC, null, { memoWaived: true })).toMatchObject({
      ok: true,
      memo: null,
    });
  });

  test('a given one goes with the address', async () => {
    expect(await checkDestination('XRP', CLASSIC, '7')).toMatchObject({
      ok: true,
      memo: '7',
      address: { canonical: CLASSIC },
    });
  });

  test('a malformed one is refused', async () => {
    expect(await checkDestination('XRP', CLASSIC, '07')).toMatchObject({ ok: false, code: 'invalid_memo' });
  });
});

describe('a tag inside the address', () => {
  test('fills a missing memo', async () => {
    expect(await checkDestination('XRP', X_WITH_TAG, null)).toMatchObject({
      memo: '65591',
      address: { kind: 'x-address', canonical: CLASSIC, tag: '65591' },
    });
    expect(await checkDestination('XLM', M, null)).toMatchObject({
      memo: '9223372036854775808',
      address: { kind: 'muxed', canonical: G, memoId: '9223372036854775808' },
    });
  });

  test('may be repeated, but not contradicted', async () => {
    expect(await checkDestination('XRP', X_WITH_TAG, '65591')).toMatchObject({ ok: true, memo: '65591' });
    expect(await checkDestination('XRP', X_WITH_TAG, '65592')).toMatchObject({ code: 'invalid_memo' });
    expect(await checkDestination('XLM', M, '1')).toMatchObject({ ok: false, code: 'invalid_memo' });
  });

  test('is still required if an X-address contains none', async () => {
    expect(await checkDestination('XRP', X_WITHOUT_TAG, null)).toMatchObject({ code: 'memo_required' });
    expect(await checkDestination('XRP', X_WITHOUT_TAG, '5')).toMatchObject({ ok: true, memo: '5' });
  });
});

describe('where the network has no memo', () => {
  test('none is required', async () => {
    expect(await checkDestination('BTC', BTC, null)).toMatchObject({ ok: true, memo: null });
  });

  test('one is refused', async () => {
    expect(await checkDestination('BTC', BTC, 'x')).toMatchObject({ ok: false, code: 'invalid_memo' });
  });

  test('the catalogue may still demand one', async () => {
    expect(await checkDestination('BTC', BTC, null, { memoNeeded: true })).toMatchObject({
      code: 'memo_required',
    });
    expect(await checkDestination('BTC', BTC, 'x', { memoNeeded: true })).toMatchObject({ memo: 'x' });
  });
});

test('only a shielded Zcash address takes a memo', async () => {
  const shielded = 'zs1wkejr23wqa9ptpvv73ch3wr96lh8gnyx3689skmyttljy4nyfj69eyclukwkxrhr3rrkgxvnur0';
  expect(await checkDestination('ZEC', shielded, 'thanks')).toMatchObject({ ok: true, memo: 'thanks' });
  expect(await checkDestination('ZEC', 't1RygJmrLdNGgi98gUgEJDTVaELTAYWoMBy', 'thanks')).toMatchObject({
    code: 'invalid_memo',
  });
});

test('a wrong address is refused before its memo is checked', async () => {
  expect(await checkDestination('XRP', 'r', 'bad memo ')).toMatchObject({
    ok: false,
    code: 'invalid_address',
  });
});

test('an unknown network takes any plain memo', async () => {
  expect(await checkDestination('NOSUCHNET', 'some-account', 'hello')).toMatchObject({
    memo: 'hello',
    address: { verified: false },
  });
});

test('a black hole is never payable', async () => {
  const hole = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
  expect(await checkDestination('XRP', hole, '1')).toMatchObject({ ok: false, code: 'invalid_address' });
});
