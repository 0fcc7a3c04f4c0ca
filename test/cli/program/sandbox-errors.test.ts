import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../src/base/errors.ts';
import { inScene } from '../../helpers/scene.ts';
import { hasHabit, onEachService } from '../../helpers/services.ts';
import { ADDRESSES } from '../../helpers/swap-service.ts';
import { expectError } from './error-object.ts';

onEachService({}, () => {
  describe.concurrent('a failure with --json leaves stdout empty and ends stderr with its error object:', () => {
    it.for([
      ['network_required', ['create', 'BTC', 'USDT', '0.1', '-a', ADDRESSES.eth, '--yes', '--sandbox']],
      ['amount_below_min', ['create', 'BTC', 'ETH', '0.00001', '-a', ADDRESSES.eth, '--yes', '--sandbox']],
      ['not_found', ['status', 'NOSUCH', '--sandbox']],
      ['unknown_network', ['quote', 'BTC', 'USDT:NOPE', '0.1', '--sandbox']],
      ['unknown_coin', ['quote', 'NOPE', 'BTC', '0.1', '--sandbox']],
    ] as const)('%s, %j', { timeout: 30_000 }, ([code, args]) =>
      inScene({}, async (scene) => expectError(await scene.run([...args, '--json']), EXIT_CODES[code], code)),
    );

    it('amount_above_max, unless the service has no maximum', { timeout: 30_000 }, () =>
      inScene({}, async (scene) => {
        const run = await scene.run(['quote', 'BTC', 'ETH', '1000000', '--sandbox', '--json']);
        if (hasHabit('no-maximum')) {
          expect([run.code, run.stderr]).toEqual([0, '']);
          expect(run.json()).toMatchObject({ amount: '1000000', max: null });
        } else expectError(run, EXIT_CODES.amount_above_max, 'amount_above_max');
      }),
    );
  });
});
