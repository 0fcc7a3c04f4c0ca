import { describe, expect, it } from 'vitest';
import { checkProfileName, profileHost } from '../../../src/cli/settings/profile.ts';
import { refusal } from '../../helpers/refusal.ts';

const codeOf = (check: () => unknown) => refusal(check)?.code ?? null;

it('the base URL of a profile is displayed as its host', () => {
  const remote = {
    kind: 'remote',
    name: 'p',
    source: '',
    publicKey: 'k',
    secret: 's',
    environment: 'live',
  } as const;
  expect(profileHost({ ...remote, baseUrl: 'https://api.example.com:8443/v1' })).toBe('api.example.com:8443');
  expect(profileHost({ kind: 'built-in', name: 'sandbox', environment: 'sandbox' })).toBe(
    'the built-in service',
  );
});

describe('a profile name', () => {
  it.each(['prod', 'A', '0', 'my.prod_2-x', 'a'.repeat(64)])('can be %s', (name) => {
    expect(checkProfileName(name)).toBe(name);
  });

  it.each(['', '-p', '.hidden', 'a b', 'a/b', '../x', 'ü', 'a\n', 'a'.repeat(65)])('cannot be %j', (name) => {
    expect(codeOf(() => checkProfileName(name))).toBe('usage');
  });

  it.each(['env', 'sandbox'])('cannot be the reserved name %s', (name) => {
    expect(refusal(() => checkProfileName(name))?.message).toBe(
      `The profile name ${name} is reserved by swapctl; choose another.`,
    );
  });
});
