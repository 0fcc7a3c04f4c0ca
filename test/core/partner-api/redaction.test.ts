import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENDPOINT_NAMES } from '../../../src/core/partner-api/endpoints.ts';
import { createRedactor, KnownSecrets } from '../../../src/core/partner-api/redaction.ts';
import { sign } from '../../../src/core/partner-api/signature.ts';
import { rawServer, sendJson } from '../../helpers/raw-server.ts';
import { CREDENTIALS, clientOf, failureOf } from '../client/test-client.ts';

const redactor = (secret: string) => createRedactor({ publicKey: 'pk', secret });
const unitEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const escaped = (text: string) => text.split('').map(unitEscape).join('');

describe('credentials in a response', () => {
  const secret = 'a-secret-of-some-length';
  const redact = redactor(secret);

  it.each(ENDPOINT_NAMES)('are redacted: the signature of %s, in either case, escaped or not', (name) => {
    const signature = sign(name, secret);
    for (const form of [signature, signature.toUpperCase(), escaped(signature)])
      expect(redact(`{"a":"${form}"}`)).toBe('{"a":"<redacted>"}');
  });

  it('are redacted: the secret, plain or escaped in JSON', () => {
    for (const form of [secret, escaped(secret), `${escaped('a-')}${secret.slice(2)}`])
      expect(redact(`{"message":"x ${form} y"}`)).toBe('{"message":"x <redacted> y"}');
    expect(redactor('a"b/c\\d e')('{"m":"a\\"b\\/c\\\\d e"}')).toBe('{"m":"<redacted>"}');
    const inside = JSON.stringify({ m: JSON.stringify({ k: 'x' }).replace('x', escaped(secret)) });
    expect(JSON.parse(redact(inside))).toEqual({ m: '{"k":"<redacted>"}' });
  });

  it.each([
    ['Base64', (text: string) => Buffer.from(text).toString('base64').replaceAll('=', '')],
    ['Base64 for URLs', (text: string) => Buffer.from(text).toString('base64url')],
    ['hexadecimal digits', (text: string) => Buffer.from(text).toString('hex')],
    ['percent codes', (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&')],
  ])('are redacted: the secret as %s, alone and inside a longer text', async (_name, encode) => {
    const known = new KnownSecrets([secret]);
    const bare = encode(secret).slice(0, -1);
    for (const before of ['', 'u', 'us', 'user:']) {
      const text = `x ${encode(`${before}${secret}${before}`)} y`;
      for (const clean of [redact(text), known.redact(text)]) {
        expect(clean).toContain('<redacted>');
        expect(clean).not.toContain(bare);
      }
    }
  });

  it('are redacted for any secret, however its characters are written', () => {
    const characters = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 30 });
    fc.assert(
      fc.property(characters, fc.array(fc.nat(2), { minLength: 60, maxLength: 60 }), (text, ways) => {
        const written = text
          .split('')
          .map((unit, index) => {
            const code = unitEscape(unit);
            return [JSON.stringify(unit).slice(1, -1), code, code.replace(/[a-f]/g, (c) => c.toUpperCase())][
              ways[index] ?? 0
            ];
          })
          .join('');
        const answer = redactor(text)(`{"message":"key ${written}"}`);
        expect(JSON.parse(answer)).toEqual({ message: 'key <redacted>' });
      }),
    );
  });
});

it('a signature among other hexadecimal digits is redacted however it is written, and the others are kept', () => {
  const secret = 'a-long-secret';
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), maxLength: 200 });
  const spellings = fc.array(fc.nat(2), { minLength: 128, maxLength: 128 });
  fc.assert(
    fc.property(hex, hex, spellings, (before, after, ways) => {
      const written = sign('exchange-coin', secret)
        .split('')
        .map((digit, index) => [digit, digit.toUpperCase(), unitEscape(digit)][ways[index] ?? 0])
        .join('');
      const answer = redactor(secret)(`{"message":"${before}${written}${written}${after}"}`);
      expect(JSON.parse(answer)).toEqual({ message: `${before}<redacted><redacted>${after}` });
    }),
  );
});

describe('a short secret', () => {
  it('is redacted only as a whole word', () => {
    const redact = redactor('hush');
    expect(redact('{"m":"hush, not hushed","n":"no\\nhush","o":"(hush)"}')).toBe(
      '{"m":"<redacted>, not hushed","n":"no\\n<redacted>","o":"(<redacted>)"}',
    );
    expect(redact(`{"m":"${escaped('hush')}"}`)).toBe('{"m":"<redacted>"}');
  });

  it.each(['0.1', '12345', 'abc'])('that could be an amount, %s, is redacted only in messages', (short) => {
    const redact = redactor(short);
    expect(redact(`{"amount":${short},"memo":"${short}"}`)).toBe(`{"amount":${short},"memo":"${short}"}`);
    expect(redact(`{"message":"bad key ${short}."}`, true)).toBe('{"message":"bad key <redacted>."}');
  });

  it('does not appear in the message of an error', async () => {
    for (const secret of ['hush', 'abc', '12345']) {
      const { url } = await rawServer((_, response) =>
        sendJson(response, 400, `{"message":"what is ${secret} or ${escaped(secret)}?"}`),
      );
      const client = clientOf(url, { credentials: { ...CREDENTIALS, secret } });
      const error = await failureOf(client.transaction('A'));
      expect(error.message).toBe('what is <redacted> or <redacted>?');
    }
  });
});
