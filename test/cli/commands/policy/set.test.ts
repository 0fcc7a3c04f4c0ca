import { describe, expect, it } from 'vitest';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import { amounts, deskWith } from '../batch/desk.ts';

const CREATE = ['create', 'BTC', 'ETH', '0.1', '--address', ADDRESSES.eth, '--yes'];

describe('swapctl policy set in a script', () => {
  it('stores the policy without --yes and prints the changes', async () => {
    const desk = await deskWith();
    const file = desk.file('policy.json', '{"version":1,"rules":[{"open":{"most":0}}]}');
    const { error, stderr } = await desk.run(['policy', 'set', file]);
    expect(error).toBeNull();
    expect(stderr).toContain('adds: at most 0 open swaps');
    expect((await desk.run(CREATE)).error).toMatchObject({ code: 'policy_refused' });
  });

  it('accepts a pair such as BTC_ETH, as quote names it', async () => {
    const desk = await deskWith();
    const file = desk.file('policy.json', '{"version":1,"rules":[{"suspend":{"pair":"BTC_ETH"}}]}');
    expect((await desk.run(['policy', 'set', file])).error).toBeNull();
    expect((await desk.run(CREATE)).error).toMatchObject({ code: 'policy_refused' });
    const { stdout } = await desk.run(['policy', 'suspend', 'btc_eth', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ suspended: [{ kind: 'pair' }] });
    expect((await desk.run(['policy', 'unsuspend', 'BTC/ETH'])).error).toBeNull();
  });
});

it('batch --dry-run lists the rows that the policy would refuse and counts nothing', async () => {
  const desk = await deskWith();
  const cap = { cap: { coin: 'BTC', amount: '0.5', per: '24h' } };
  const file = desk.file('policy.json', JSON.stringify({ version: 1, rules: [cap] }));
  await desk.run(['policy', 'set', file]);
  const rows = desk.file('rows.csv', amounts('0.4', '0.6'));
  for (let time = 0; time < 2; time += 1) {
    const { error, stdout } = await desk.run(['batch', rows, '--dry-run', '--json']);
    expect(error).toBeNull();
    expect(JSON.parse(stdout)).toMatchObject({
      toCreate: 2,
      warnings: [
        {
          row: 2,
          warning:
            'The policy refuses this. A deposit of 0.6 BTC is over the cap of 0.5 BTC per 24h. 0 BTC used, 0.5 BTC left.',
        },
      ],
    });
  }
  expect(desk.service.posts()).toBe(0);
});

it('batch --dry-run wraps warnings between words and counts the warnings not shown', async () => {
  const desk = await deskWith();
  const cap = { cap: { coin: 'BTC', amount: '0.05', per: 'order' } };
  await desk.run(['policy', 'set', desk.file('policy.json', JSON.stringify({ version: 1, rules: [cap] }))]);
  const rows = desk.file(
    'rows.csv',
    amounts(...Array.from({ length: 102 }, (_, index) => `0.${100 + index}`)),
  );
  const { stdout } = await desk.run(['batch', rows, '--dry-run'], { terminals: ['stdout'], columns: 60 });
  expect(stdout).toContain(
    '\n row 1: The policy refuses this. A deposit of 0.100 BTC is\n over the cap of 0.05 BTC per order.\n',
  );
  expect(stdout).toMatch(/\n [0-9]+ more warnings like these\.\n$/);
});
