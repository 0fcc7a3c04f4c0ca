import { expect, it } from 'vitest';
import { openCore } from '../../../src/sandbox/open.ts';
import { StateReplaced } from '../../../src/sandbox/state/state-row.ts';
import { testSandbox } from '../sandbox.ts';
import { agreedOrder } from './agreed.ts';

it('an order priced before a clock reset is not created after it', async () => {
  const { operator, clock, database, stop } = await testSandbox();
  const core = await openCore({ database, now: clock.now, monotonic: () => 0 });
  await operator.clock.advance(86_400_000);
  const { now, generation } = await core.shared.read();
  const order = { ...agreedOrder(core.catalogue, now), generation };
  const { create } = await core.creating();
  expect(await create(order)).toMatchObject({ createdAt: now });
  await operator.clock.reset();
  await expect(create(order)).rejects.toBeInstanceOf(StateReplaced);
  await core.database.close();
  await stop();
});
