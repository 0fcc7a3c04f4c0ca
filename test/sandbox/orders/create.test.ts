import { expect, it } from 'vitest';
import { openCore } from '../../../src/sandbox/open.ts';
import { freshFile } from '../sandbox.ts';
import { agreedOrder } from './agreed.ts';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

it('an order that was agreed before the clock was reset does not lie in the future', async () => {
  const core = await openCore({ database: freshFile(), now: () => NOW, steady: () => 0 });
  const agreedAt = (ahead: number) => core.createOrder(agreedOrder(core.catalogue, NOW, ahead));
  expect((await agreedAt(10 * DAY)).createdAt).toBe(NOW);
  expect((await agreedAt(0)).createdAt).toBe(NOW);
  await core.database.close();
});
