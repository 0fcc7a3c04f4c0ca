import { describe, expect, it } from 'vitest';
import { checkCredentials, defaultEnvironment } from '../../../src/core/partner-api/key-pair.ts';
import { refusal } from '../../helpers/refusal.ts';

it('the default environment of a base URL is sandbox on this machine and live elsewhere', () => {
  expect(['http://localhost:1', 'https://127.0.0.1', 'http://[::1]'].map(defaultEnvironment)).toEqual(
    Array(3).fill('sandbox'),
  );
  expect(defaultEnvironment('https://api.example.com')).toBe('live');
});

describe('a key pair', () => {
  it.each([
    ['pk_1', 'secret'],
    ['pk-1/+=', 'a secret with spaces'],
    ['k', 'schlüssel €'],
    ['k'.repeat(512), 's'.repeat(4096)],
  ])('may be $0 with $1', (publicKey, secret) => {
    expect(refusal(() => checkCredentials(publicKey, secret))).toBeNull();
  });

  it.each([
    ['', 's', 'The public key is empty.'],
    ['k', '', 'The secret is empty.'],
    ['k 1', 's', 'The public key contains a space, a line break or another invalid character.'],
    ['k\r\nx: y', 's', 'The public key contains a space, a line break or another invalid character.'],
    ['ключ', 's', 'The public key contains a space, a line break or another invalid character.'],
    ['k'.repeat(513), 's', 'The public key contains a space, a line break or another invalid character.'],
    ['k', 'two\nlines', 'The secret contains a line break or is longer than 4,096 characters.'],
    ['k', 's'.repeat(4097), 'The secret contains a line break or is longer than 4,096 characters.'],
  ])('is rejected as $0 with $1: $2', (publicKey, secret, message) => {
    expect(refusal(() => checkCredentials(publicKey, secret))).toMatchObject({
      code: 'no_credentials',
      message,
    });
  });
});
