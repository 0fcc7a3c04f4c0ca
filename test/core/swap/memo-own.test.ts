import { describe, expect, test } from 'vitest';
import { checkMemo, memoPolicy } from '../../../src/core/swap/memo.ts';

describe('a network with its own memo format', () => {
  test.each([
    ['STX', 34],
    ['HIVE', 2048],
    ['STEEM', 2048],
    ['MINA', 32],
    ['WAVES', 140],
    ['XEM', 1024],
    ['XYM', 1023],
  ])('such as %s accepts at most %i bytes of UTF-8', async (code, bytes) => {
    const memo = 'é'.repeat(Math.floor(bytes / 2)) + 'x'.repeat(bytes % 2);
    expect(await checkMemo(code, memo)).toEqual({ ok: true, memo });
    expect(await checkMemo(code, `${memo}x`)).toMatchObject({ ok: false });
  });

  test.each(['HIVE', 'STEEM'])('such as %s rejects a memo that begins with #', async (code) => {
    expect(await checkMemo(code, '#12345')).toEqual({
      ok: false,
      reason: 'Wallets encrypt a memo that begins with #, so the recipient may not be able to read it.',
    });
    expect(await checkMemo(code, 'no. #12345')).toMatchObject({ ok: true });
    expect(await checkMemo('XEM', '#12345')).toMatchObject({ ok: true });
  });

  test.each('ALPH AR CFX CKB ERG FIO FLOW ICX KDA NEO NIM ONT SC XCH'.split(' '))(
    'such as %s may have no memo at all',
    async (code) => {
      expect(memoPolicy(code)).toBe('none');
      expect(await checkMemo(code, '12345')).toMatchObject({ ok: false });
    },
  );
});
