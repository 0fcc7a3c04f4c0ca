import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { scriptedPrompter } from '../../helpers/prompter.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';

const CLASSIC = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf';
const WITH_TAG = 'XVLhHMPHU98es4dbozjVtdWzVrDjtVozpjdhPQVdt3ghaWw';
const INSIDE = 'it contains a memo, but the service has no field for one here';
const OFTEN_NEEDED = 'XRP often needs a memo, but the service has no field for a refund memo';

const CREATE = ['create', 'XRP', 'ETH', '100', '--address', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'];

describe('a refund address on a network with memos', () => {
  it('is rejected by create if it contains a memo, and warned about otherwise', async () => {
    const home = await temporaryFolder();
    const refused = await runHere([...CREATE, '--yes', '--refund-address', WITH_TAG], { home });
    expect(refused.error).toMatchObject({ code: 'invalid_address', outcome: 'nothing-sent' });
    expect(refused.error?.message).toContain(INSIDE);
    const history = await runHere(['history', '--json'], { home });
    expect(history.stdout).toBe('[]\n');
    const made = await runHere([...CREATE, '--yes', '--refund-address', CLASSIC], { home });
    expect(made.error).toBeNull();
    expect(made.stderr).toContain(
      `warning: refund address: ${OFTEN_NEEDED}; use an address that needs none.`,
    );
  });

  it('is rejected by refund if it contains a memo, and warned about otherwise', async () => {
    const home = await temporaryFolder();
    const made = await runHere([...CREATE, '--yes', '--json'], { home });
    expect(made.stderr).not.toContain('refund address');
    const { order } = JSON.parse(made.stdout) as { order: string };
    const refused = await runHere(['refund', order, WITH_TAG, '--yes'], { home });
    expect(refused.error).toMatchObject({ code: 'invalid_address', outcome: 'nothing-sent' });
    expect(refused.error?.message).toContain(INSIDE);
    const set = await runHere(['refund', order, CLASSIC, '--yes', '--json'], { home });
    expect(JSON.parse(set.stdout)).toMatchObject({ order, refundAddress: CLASSIC });
    expect(set.stderr).toContain(`warning: ${OFTEN_NEEDED}: use an address that needs none,`);
  });
});

it('swapctl refund asks for a missing address, names the order and does not call it optional', async () => {
  const home = await temporaryFolder();
  const made = await runHere([...CREATE, '--yes', '--json'], { home });
  const { order } = JSON.parse(made.stdout) as { order: string };
  const input = `New refund address for XRP of order ${order} (such as r`;
  const prompter = scriptedPrompter([{ input, answer: '' }]);
  const run = await runHere(['refund', order], { home, prompter, terminals: AT_TERMINAL });
  expect(run.error).toMatchObject({ code: 'declined' });
});

it('swapctl refund --yes in a pipe shows the swap and both addresses first, unless --quiet', async () => {
  const home = await temporaryFolder();
  const made = await runHere([...CREATE, '--yes', '--json'], { home });
  const { order, deposit } = JSON.parse(made.stdout) as { order: string; deposit: { address: string } };
  const set = await runHere(['refund', order, CLASSIC, '--yes'], { home });
  const [review = ''] = set.stderr.split('profile sandbox · sandbox · ');
  for (const text of [deposit.address, 'Current refund address  none known', `address      ${CLASSIC}`])
    expect(review).toContain(text);
  const quiet = await runHere(['refund', order, CLASSIC, '--yes', '--quiet'], { home });
  expect(quiet.stderr).not.toContain(deposit.address);
});
