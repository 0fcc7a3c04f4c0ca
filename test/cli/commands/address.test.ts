import { describe, expect, it } from 'vitest';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { inScene, profileAt } from '../../helpers/scene.ts';
import type { Plan } from '../../helpers/swap-service.ts';
import { listing } from '../../helpers/swap-service.ts';

/** A service with one coin, on a network that swapctl has no rules for. */
const LISTING: Plan = { 'get-all-coins': listing({ FOO: ['FooNet'] }) };

describe('an address on a network that swapctl has no rules for', () => {
  it('is unverified instead of unknown once a coin list is stored', () =>
    inScene(LISTING, async ({ home, service }) => {
      const later = { now: () => Date.now() + 40 * 86_400_000 };
      const here = (args: readonly string[], more = {}) =>
        runHere(args, { home, env: profileAt(service.url), ...more });
      expect((await here(['address', 'foonet', 'abc', '--json'])).error?.code).toBe('unknown_network');
      expect(service.requests).toHaveLength(0);
      await here(['coins', '--json']);
      const asked = service.requests.length;

      const { error, stdout } = await here(['address', 'foonet', 'abcdef1234567', '--json'], later);
      expect(error).toBeNull();
      expect(JSON.parse(stdout)).toMatchObject({
        valid: null,
        verdict: 'unverified',
        kind: 'unverified',
        reason: null,
        warnings: [expect.stringContaining('not verified')],
      });
      const lines = await here(['address', '-'], { input: 'FooNet\tabcdef1234567\n' });
      expect([lines.error, lines.stdout.split('\t')[2]]).toEqual([null, 'unverified']);
      const screen = await here(['address', 'FooNet', 'abcdef1234567'], { terminals: AT_TERMINAL });
      expect(screen.stdout).toContain('Not verified');

      const coin = await here(['address', 'FOO', 'abcdef1234567', '--json'], later);
      expect(coin.error).toMatchObject({
        code: 'unknown_network',
        hint: 'FOO is a coin, on the networks FooNet.',
      });
      // What is valid nowhere is refused on such a network too.
      expect((await here(['address', 'FooNet', 'a"b', '--json'])).error?.code).toBe('invalid_address');
      expect(service.requests).toHaveLength(asked);
    }));
});
