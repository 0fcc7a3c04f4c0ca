import { describe, expect, test } from 'vitest';
import { checkMemo, memoPolicy } from '../../../src/core/swap/memo.ts';

describe('memos of chains with a form of their own', () => {
  test.each([
    ['STX', 34],
    ['HIVE', 2048],
    ['STEEM', 2048],
    ['MINA', 32],
    ['WAVES', 140],
    ['XEM', 1024],
    ['XYM', 1023],
  ])('%s takes %i bytes in UTF-8 and no more', async (code, bytes) => {
    const memo = 'é'.repeat(Math.floor(bytes / 2)) + 'x'.repeat(bytes % 2);
    expect(await checkMemo(code, memo)).toEqual({ ok: true, memo });
    expect(await checkMemo(code, `${memo}x`)).toMatchObject({ ok: false });
  });

  test.each(['HIVE', 'STEEM'])('on %s, wallets encrypt what begins with #', async (code) => {
    expect(await checkMemo(code, '#12345')).toEqual({
      ok: false,
      reason: 'Wallets encrypt a memo that begins with #, so the recipient may not be able to read it.',
    });
    expect(await checkMemo(code, 'no. #12345')).toMatchObject({ ok: true });
    expect(await checkMemo('XEM', '#12345')).toMatchObject({ ok: true });
  });

  test.each([
    'ALPH',
    'AR',
    'CFX',
    'CKB',
    'ERG',
    'FIO',
    'FLOW',
    'ICX',
    'KDA',
    'NEO',
    'NIM',
    'ONT',
    'SC',
    'XCH',
  ])('%s has none', async (code) => {
    expect(memoPolicy(code)).toBe('none');
    expect(await checkMemo(code, '12345')).toMatchObject({ ok: false });
  });
});
