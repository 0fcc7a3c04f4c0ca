import { expect, it } from 'vitest';
import { inScene } from '../helpers/scene.ts';

const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
// A plain hexadecimal key is not tested, because it could be a transaction id, which is not secret.
const SECRETS = [PHRASE, '5Kb8kLf9zgWQnogidDA76MzPL6TsZZY36hWXMssSzNydYXYB9KF', `0x${'4f3edf98'.repeat(16)}`];

it('a private key or seed phrase given as an order number is neither sent nor printed', async () => {
  await inScene({}, async ({ run, service }) => {
    for (const secret of SECRETS)
      for (const args of [
        ['status', secret],
        ['status', 'KQWZPA', secret, '--watch'],
        ['refund', secret, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '--yes'],
        ['history', 'show', secret],
        ['history', 'support', secret],
        ['listen', secret, '--once'],
      ]) {
        const { code, stdout, stderr } = await run([...args, '--debug']);
        expect([args[0], code, stdout]).toEqual([args[0], 2, '']);
        expect(stderr).toContain('Invalid order number <redacted>.');
        expect(stderr).not.toContain(secret);
      }
    expect(service.requests).toEqual([]);
  });
});
