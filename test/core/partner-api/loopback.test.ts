import { expect, test } from 'vitest';
import { isLoopback, isOwnHost } from '../../../src/core/partner-api/loopback.ts';
import { words } from '../../helpers/words.ts';

test.each([
  ['127.0.0.1:4020', true],
  ['127.0.0.1', true],
  ['localhost:4021', true],
  ['LOCALHOST:4020', true],
  ['[::1]:4020', true],
  ['', false],
  [undefined, false],
  ['evil.example:4020', false],
  ['127.0.0.1.evil.example', false],
  ['127.0.0.1:4020.evil.example', false],
  ['evil.example/127.0.0.1:4020', false],
  ['localhost.', false],
  ['localhost@evil.example', false],
  [':4020', false],
  ['127.0.0.1:', false],
  ['::1', false],
])('the Host header %j names this machine: %j', (host, isOwn) => expect(isOwnHost(host)).toBe(isOwn));

test('a Host header must also have the given port', () => {
  const hosts = ['127.0.0.1:4020', 'localhost:4020', '127.0.0.1:4021', '127.0.0.1', 'evil.example:4020'];
  expect(hosts.map((host) => isOwnHost(host, 4020))).toEqual([true, true, false, false, false]);
});

test.each(['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]', '::ffff:127.0.0.1'])(
  'isLoopback is true for %s',
  (address) => expect(isLoopback(address)).toBe(true),
);

test.each(words('0.0.0.0 :: 10.0.0.1 ::ffff:10.0.0.1 128.0.0.1 localhost.example.com 127.0.0.1.example.com'))(
  'isLoopback is false for %s',
  (address) => expect(isLoopback(address)).toBe(false),
);
