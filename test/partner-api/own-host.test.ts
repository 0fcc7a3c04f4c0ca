import { expect, test } from 'vitest';
import { isOwnHost } from '../../src/partner-api/own-host.ts';

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
])('whether the Host %j names this machine: %j', (host, isOwn) => {
  expect(isOwnHost(host)).toBe(isOwn);
});

test('a port that is asked for is held too', () => {
  const hosts = ['127.0.0.1:4020', 'localhost:4020', '127.0.0.1:4021', '127.0.0.1', 'evil.example:4020'];
  expect(hosts.map((host) => isOwnHost(host, 4020))).toEqual([true, true, false, false, false]);
});
