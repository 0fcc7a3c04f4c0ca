import { describe, expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import { checkProfileName, profileHost } from '../../../src/cli/settings/profile.ts';

/** Code and words of a refusal; null where nothing is refused. */
function refusal(check: () => unknown): { code: string; message: string } | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    return { code: error.code, message: error.message };
  }
}

const codeOf = (check: () => unknown) => refusal(check)?.code ?? null;

describe('the base URL of a profile', () => {
  it('is displayed as its host', () => {
    const remote = {
      kind: 'remote',
      name: 'p',
      source: '',
      publicKey: 'k',
      secret: 's',
      environment: 'live',
    } as const;
    expect(profileHost({ ...remote, baseUrl: 'https://api.example.com:8443/v1' })).toBe(
      'api.example.com:8443',
    );
    expect(profileHost({ kind: 'built-in', name: 'sandbox', environment: 'sandbox' })).toBe(
      'the built-in service',
    );
  });
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
