import { describe, expect, it } from 'vitest';
import { echoed } from '../../src/base/text.ts';

describe('user input in an error message', () => {
  it.each([
    'BTC',
    'USDT:TRX',
    'monthly_payout_2026_january_batch_number_01',
    'fe6c9a1a-5f56-4ec5-9c0a-3c1f51c8a2b7',
    '/home/me/projects/swapctl-2026/payouts of May.csv',
    '@treasury',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    `0.${'0'.repeat(60)}1`,
    'https://shop.example.com/hooks?order=7',
  ])('is repeated unchanged: %s', (text) => expect(echoed(text)).toBe(text));

  it.each([
    ['https://me:hunter2@example.com/hooks', 'https://<redacted>@example.com/hooks'],
    ['https://me:hun@ter/2@example.com', 'https://<redacted>@example.com'],
    ['postgres://token@db/swaps', 'postgres://<redacted>@db/swaps'],
    ['me:hunter2@example.com', '<redacted>@example.com'],
    ['https://example.com/?token=abc&order=7', 'https://example.com/?token=<redacted>&order=7'],
    ['{"password": "abc"}', '{"password": <redacted>'],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '<redacted>'],
    [`-----BEGIN PRIVATE KEY-----\nMIIB\n-----END`, '<redacted>'],
    ['sk_live_51H8xAbCdEf1234567890abcdefg', 'sk_live_<redacted>'],
    ['9f86d081884c7d659a2feaa0c55ad015', '<redacted>'],
    [`/run/secrets/${'ab12'.repeat(16)}/x`, '/run/secrets/<redacted>/x'],
    ['a'.repeat(64), '<redacted>'],
    ['legal winner thank year wave sausage worth useful legal winner thank yellow', '<redacted>'],
  ])('is redacted if it could be a credential: %s', (text, expected) => expect(echoed(text)).toBe(expected));

  it('is cut in the middle if it is long, and after its start if it is huge', () => {
    expect(echoed(`${'ab/'.repeat(40)}file.csv`)).toMatch(/^(ab\/){20}….*file\.csv$/);
    expect(echoed('x1 y'.repeat(30_000))).toBe(`${'x1 y'.repeat(15)}…`);
    expect(echoed('\u001b'.repeat(120_000)).length).toBeLessThan(100);
    for (const unit of ['a', ':', '@', 'a:', '://', 'whsec_', 'secret=', '='])
      expect(echoed(unit.repeat(120_000)).length).toBeLessThan(100);
  });
});
