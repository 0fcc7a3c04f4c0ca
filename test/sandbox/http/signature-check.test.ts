import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sign } from '../../../src/core/partner-api/signature.ts';
import { isSignature } from '../../../src/sandbox/http/middleware/checks.ts';

const PAYLOAD = 'get-all-coins';
const SECRET = 'the-secret';
const RIGHT = sign(PAYLOAD, SECRET);
const isRight = (signature: string) => isSignature(signature, RIGHT);

describe('the signature check of the sandbox', () => {
  it('accepts the right signature in lower or upper case', () => {
    expect(isRight(RIGHT)).toBe(true);
    expect(isRight(RIGHT.toUpperCase())).toBe(true);
  });

  it.each([
    ['of another endpoint', sign('exchange-coin', SECRET)],
    ['with another secret', sign(PAYLOAD, 'other')],
    ['with its last digit changed', `${RIGHT.slice(0, 127)}${RIGHT.endsWith('0') ? '1' : '0'}`],
    ['that is empty', ''],
    ['one digit too short', RIGHT.slice(0, 127)],
    ['one byte too short', RIGHT.slice(0, 126)],
    ['one digit too long', `${RIGHT}0`],
    ['followed by other characters', `${RIGHT}zz`],
    ['followed by a line break', `${RIGHT}\n`],
    ['with a space before it', ` ${RIGHT}`],
    ['with 0x before it', `0x${RIGHT}`],
    ['repeated in a list', `${RIGHT}, ${RIGHT}`],
    ['with a digit that is not hexadecimal', `g${RIGHT.slice(1)}`],
    ['with a full-width digit', `\uff10${RIGHT.slice(1)}`],
    ['in Base64', Buffer.from(RIGHT, 'hex').toString('base64')],
  ])('rejects a signature %s', (_what, signature) => expect(isRight(signature)).toBe(false));

  it('compares in constant time', () => {
    const source = readFileSync(
      join(import.meta.dirname, '../../../src/sandbox/http/middleware/checks.ts'),
      'utf8',
    );
    expect(source).toMatch(/ timingSafeEqual\(/);
    expect(source).not.toMatch(/signature === |=== signature/);
  });
});
