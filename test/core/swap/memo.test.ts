import { describe, expect, test } from 'vitest';
import { checkMemo, memoPolicy } from '../../../src/core/swap/memo.ts';

describe('memoPolicy', () => {
  test.each(['XRP', 'xlm', 'TON', 'EOS', 'ATOM', 'HBAR'])('returns required for %s', (code) => {
    expect(memoPolicy(code)).toBe('required');
  });

  test.each(['OSMO', 'RUNE', 'ALGO', 'ZEC', 'SOL', 'STX'])('returns optional for %s', (code) => {
    expect(memoPolicy(code)).toBe('optional');
  });

  test.each(['BTC', 'ETH', 'TRC20', 'BCH', 'XMR', 'ADA', 'DOT', 'FIL', 'XNO', 'NEAR', 'EGLD', 'ZIL'])(
    'returns none for %s',
    (code) => expect(memoPolicy(code)).toBe('none'),
  );

  test('returns unknown for an unknown network', () => expect(memoPolicy('NOSUCHNET')).toBe('unknown'));
});

describe('an XRP Ledger destination tag', () => {
  test.each(['0', '1', '4294967295'])('%s is accepted', async (memo) => {
    expect(await checkMemo('XRP', memo)).toEqual({ ok: true, memo });
  });

  test.each(['', '4294967296', '-1', '+1', '01', '1.0', '1e3', '0x10', ' 1', '1 ', '١', 'abc', '1,000'])(
    '%j is rejected',
    async (memo) => expect((await checkMemo('XRP', memo)).ok).toBe(false),
  );
});

describe('a Stellar memo', () => {
  test.each([
    '12345',
    '18446744073709551615',
    'twenty-eight bytes of text..',
    'é'.repeat(14),
    'ab'.repeat(32),
  ])('%j is accepted', async (memo) => expect(await checkMemo('XLM', memo)).toEqual({ ok: true, memo }));

  test.each(['twenty-nine bytes of text....', 'é'.repeat(15), 'ab'.repeat(31), 'zz'.repeat(32)])(
    '%j is rejected',
    async (memo) => expect((await checkMemo('XLM', memo)).ok).toBe(false),
  );
});

test.each([
  ['TON', 120],
  ['EOS', 256],
  ['ATOM', 256],
  ['HBAR', 100],
  ['ALGO', 1000],
  ['ZEC', 512],
  ['SOL', 256],
  ['WAX', 256],
  ['TLOS', 256],
  ['MINA', 32],
  ['XEM', 1024],
  ['XYM', 1023],
  ['STX', 34],
  ['WAVES', 140],
  ['NOSUCHNET', 256],
])('a memo on %s may have at most %i bytes', async (code, limit) => {
  expect((await checkMemo(code, 'x'.repeat(limit))).ok).toBe(true);
  expect((await checkMemo(code, 'x'.repeat(limit + 1))).ok).toBe(false);
  expect((await checkMemo(code, 'é'.repeat(Math.floor(limit / 2)))).ok).toBe(true);
  expect((await checkMemo(code, `${'é'.repeat(limit / 2)}xx`)).ok).toBe(false);
});

test.each([
  ['a space at the beginning', ' memo'],
  ['a space at the end', 'memo '],
  ['a no-break space at the end', 'memo\u00a0'],
  ['a line break', 'me\nmo'],
  ['an escape character', 'me\u001bmo'],
  ['a C1 control character', 'me\u0085mo'],
  ['a zero-width space', 'me\u200bmo'],
  ['a bidirectional override', 'me\u202emo'],
  ['half a surrogate pair', 'me\ud83dmo'],
  ['no characters', ''],
])('a memo with %s is rejected on every network', async (_, memo) => {
  for (const code of ['XLM', 'TON', 'EOS', 'ATOM', 'HBAR', 'NOSUCHNET'])
    expect((await checkMemo(code, memo)).ok).toBe(false);
});

test('a private key given as memo is rejected and not repeated in the reason', async () => {
  for (const key of ['5JuW2AMDYu4xVwRG9DZW18VbzQrGcd5RCgb99sS6ehJsNQXu5b9', '4f'.repeat(32)]) {
    const verdict = await checkMemo('EOS', key);
    expect(verdict).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/a private key( or a hash)?, not a memo/),
    });
    expect(JSON.stringify(verdict)).not.toContain(key);
  }
});

test('a memo on a network without memos is rejected unless the coin list requires one', async () => {
  expect(await checkMemo('BTC', 'hello')).toEqual({ ok: false, reason: 'Bitcoin has no memo.' });
  expect(await checkMemo('BTC', 'hello', { memoNeeded: true })).toEqual({ ok: true, memo: 'hello' });
});
