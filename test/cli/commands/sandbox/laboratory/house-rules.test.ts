import { afterEach, describe, expect, it } from 'vitest';
import type { HouseRule } from '../../../../../src/sandbox/habits/choices.ts';
import { applyOverlay, readOverlay } from '../../../../../src/sandbox/overlay/overlay.ts';
import { temporaryFolder } from '../../../../helpers/home.ts';
import { profileEnv } from '../../../../helpers/raw-server.ts';
import { runHere } from '../../../../helpers/run-here.ts';
import { ETH_ADDRESS, type TestSandbox, testSandbox } from '../../../../sandbox/sandbox.ts';

const DOUBTS = ['amount_changed', 'payout_changed', 'payout_amount_off'];
const HOUR = 3_600_000;

let place: TestSandbox | null = null;
afterEach(() => place?.stop());

/** A client of a service with a rule, on the clock of that service. */
async function client(rule: HouseRule, timeScale = 1) {
  const overlay = readOverlay(JSON.stringify({ decisions: { houseRules: [rule] } }));
  const service = await testSandbox({ ...applyOverlay(overlay, {}), timeScale });
  place = service;
  const home = await temporaryFolder();
  const env = profileEnv(service.url, service.credentials);
  const { now } = service.clock;
  const run = (args: readonly string[]) => runHere([...args, '--json'], { home, env, now });
  const json = async (...args: readonly string[]) => JSON.parse((await run(args)).stdout);
  const create = async (amount: string, ...flags: string[]) =>
    (await json('create', 'BTC', 'ETH', amount, '-a', ETH_ADDRESS, '--yes', ...flags)).order as string;
  const attention = async () =>
    (await json('status', '--attention', '--max-age', '0s'))[0]?.attention ?? null;
  const support = async (order: string) => (await json('history', 'support', order)).case;
  return { service, json, create, attention, support };
}

describe('swapctl with the house rule', () => {
  it('house-minimum reports a refund for a quoted minimum and success for a larger amount', async () => {
    const { service, json, create, attention } = await client('house-minimum');
    const { min } = await json('quote', 'BTC', 'ETH', '0.1');
    const [low, high] = [await create(min), await create('0.1')];
    for (const order of [low, high]) await service.operator.orders.deposit(order);
    service.clock.pass(HOUR);
    expect(await json('status', low)).toMatchObject({ status: 'refund', doubts: [] });
    expect(await json('status', high)).toMatchObject({ status: 'success', doubts: [] });
    expect(await attention()).toBe(`No refund address is recorded here: swapctl refund ${low}`);
  });

  it('aml-commission reports a risk score of 87 and a payout mismatch at a fixed rate', async () => {
    const { service, json, create, attention, support } = await client('aml-commission');
    const [fixed, float] = [await create('0.1', '--fixed'), await create('0.1')];
    for (const order of [fixed, float]) await service.operator.orders.deposit(order);
    service.clock.pass(HOUR);
    const [swap, other] = [await json('status', fixed), await json('status', float)];
    expect(swap).toMatchObject({ status: 'success', riskScore: '87', doubts: DOUBTS });
    expect(await attention()).toBe(`Mismatch (${DOUBTS.join(', ')}): ask the service.`);
    expect(await support(fixed)).toBe('payout_in_question');
    // A floating rate may pay less; the amount that was agreed is shown beside it.
    expect(other).toMatchObject({ status: 'success', riskScore: '87', doubts: [] });
    expect(Number(other.receive.paidAmount) / Number(other.asked.receive)).toBeCloseTo(0.95, 4);
  });

  it('late-by-support reports overdue after a late deposit and success once support accepts it', async () => {
    const { service, json, create, attention, support } = await client('late-by-support');
    const order = await create('0.1');
    service.clock.pass(HOUR);
    await service.operator.orders.deposit(order);
    expect(await json('status', order)).toMatchObject({ status: 'overdue' });
    expect(await attention()).toBe('The deposit arrived too late: ask the service.');
    expect(await support(order)).toBe('late_deposit');
    service.clock.pass(3 * HOUR);
    expect(await json('status', order)).toMatchObject({ status: 'confirmation' });
    service.clock.pass(HOUR);
    expect(await json('status', order)).toMatchObject({ status: 'success', doubts: [] });
  });
});
