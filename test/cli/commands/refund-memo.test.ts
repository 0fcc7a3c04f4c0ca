import { expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';

const CLASSIC = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf';

const CREATE = ['create', 'XRP', 'ETH', '100', '--address', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'];

it('swapctl refund --yes in a pipe shows the swap and both addresses first, unless --quiet', async () => {
  const home = await temporaryFolder();
  const made = await runHere([...CREATE, '--yes', '--json'], { home });
  const { order, deposit } = JSON.parse(made.stdout) as { order: string; deposit: { address: string } };
  const set = await runHere(['refund', order, CLASSIC, '--yes'], { home });
  const [review = ''] = set.stderr.split('profile sandbox · sandbox · ');
  for (const text of [
    deposit.address,
    'Current refund address  none known',
    `address      ${CLASSIC}`,
    'Service                 built-in',
  ])
    expect(review).toContain(text);
  const quiet = await runHere(['refund', order, CLASSIC, '--yes', '--quiet'], { home });
  expect(quiet.stderr).not.toContain(deposit.address);
});
