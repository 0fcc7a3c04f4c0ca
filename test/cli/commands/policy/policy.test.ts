import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SwapctlError } from '../../../../src/base/errors.ts';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import { AT_ONCE, amounts, created, type Desk, deskWith, endsOf, YES } from '../batch/desk.ts';

const CREATE = ['BTC', 'ETH', '0.1', '--address', ADDRESSES.eth];
const BODY = {
  ...{ depositCoin: 'BTC', depositNetwork: 'BTC', depositAmount: 0.1, typeSwap: 2, lastSource: 'deposit' },
  ...{ receiveCoin: 'ETH', receiveNetwork: 'ETH', receiveAddress: ADDRESSES.eth },
};

async function setPolicy(desk: Desk, rules: readonly unknown[], args: readonly string[] = []) {
  const file = desk.file('policy.json', JSON.stringify({ version: 1, rules }));
  const { error } = await desk.run(['policy', 'set', file, '--yes', ...args]);
  expect(error).toBeNull();
}

const policyError = (code: SwapctlError['code']) => ({ code, exitCode: 12, outcome: 'nothing-sent' });

describe('the policy', () => {
  it('is shown by --dry-run of refund and api, which sends and counts nothing', async () => {
    const desk = await deskWith();
    const made = await desk.run(['create', ...CREATE, '--yes', '--json']);
    const { order } = JSON.parse(made.stdout) as { order: string };
    const posts = desk.service.posts();
    const dry = async (args: readonly string[], input = '') => {
      const run = await desk.run([...args, '--dry-run', '--json'], { input });
      return run.error ?? (JSON.parse(run.stdout) as unknown);
    };
    const address = { id: order, refundAddress: ADDRESSES.btcRefund };
    const refund = ['refund', order, ADDRESSES.btcRefund];
    const patch = ['api', 'update-refund-address', '--input', '-'];
    const post = ['api', 'create-transaction', '--input', '-'];
    const unlimited = { dryRun: true, request: { method: 'PATCH', body: address } };
    expect(await dry(refund)).toMatchObject(unlimited);
    expect(await dry(patch, JSON.stringify(address))).toEqual(await dry(refund));
    expect(await dry(['api', 'get-transaction', '-f', 'id=A'])).toMatchObject({
      request: { method: 'GET', url: expect.stringContaining('get-transaction?id=A'), body: null },
    });
    await setPolicy(desk, [{ payout: { addresses: [ADDRESSES.eth] } }, { count: { most: 2, per: '1h' } }]);
    const refused = { ...unlimited, decision: { decision: 'refuse', rules: [{ kind: 'payout' }] } };
    expect(await dry(refund)).toMatchObject(refused);
    expect(await dry(patch, JSON.stringify(address))).toMatchObject(refused);
    for (let run = 0; run < 3; run += 1)
      expect(await dry(post, JSON.stringify(BODY))).toMatchObject({
        request: { body: { depositAmount: 0.1 } },
        decision: { decision: 'allow' },
      });
    expect(await dry(['api', 'create-transaction', '-X', 'PUT', '-f', 'a=b'])).toMatchObject(
      policyError('policy_refused'),
    );
    expect(await dry(['api', 'get-transaction', '--curl'])).toMatchObject({ code: 'usage' });
    expect([desk.service.posts(), desk.service.count('update-refund-address')]).toEqual([posts, 0]);
  });

  it('stops a batch in progress, which resumes without creating a row twice', async () => {
    const well = created();
    let [posts, stop]: [number, unknown] = [0, null];
    const desk: Desk = await deskWith({
      'create-transaction': async (seen, response, request) => {
        posts += 1;
        // The stop comes from another process while the answers to the third create and those behind are on their way.
        if (posts === 3) stop = desk.run(['policy', 'stop']);
        await stop;
        well(seen, response, request);
      },
    });
    const rows = Array.from({ length: 20 }, (_, index) => `0.${100 + index}`);
    const file = desk.file('rows.csv', amounts(...rows));
    const first = await desk.run(['batch', file, ...YES, ...AT_ONCE]);
    expect(first.error).toMatchObject({ code: 'rejected', exitCode: 5, outcome: 'done' });
    const made = endsOf(first).filter(([, outcome]) => outcome === 'created').length;
    expect(made).toBeLessThanOrEqual(3 + 4);
    expect(posts).toBe(made);
    const { error } = await desk.run(['batch', file, ...YES, ...AT_ONCE]);
    expect(error).toMatchObject({ code: 'stopped', retryable: false });
    expect(posts).toBe(made);
    await desk.run(['policy', 'resume']);
    const last = await desk.run(['batch', file, ...YES, ...AT_ONCE]);
    expect(last.error).toBeNull();
    expect(posts).toBe(20);
  });
});

it('swapctl policy check prints the same decision as create and counts nothing', async () => {
  const desk = await deskWith();
  const required = { require: ['label:team', 'idempotencyKey'] };
  await setPolicy(desk, [{ cap: { coin: 'BTC', amount: '0.15', per: '1h' } }, required]);
  const given = ['--label', 'team=a', '--idempotency-key', 'bill-1'];
  for (const args of [CREATE, [...CREATE, ...given], ['BTC', 'ETH', '0.2', '-a', ADDRESSES.eth, ...given]]) {
    const checked = await desk.run(['policy', 'check', ...args, '--json']);
    expect(desk.service.posts()).toBe(0);
    const dry = await desk.run(['create', ...args, '--dry-run', '--json']);
    expect(JSON.stringify((JSON.parse(dry.stdout) as { decision: unknown }).decision)).toBe(
      checked.stdout.trim(),
    );
    if (checked.error === null) continue;
    const { error } = await desk.run(['create', ...args, '--yes']);
    expect(JSON.stringify(error?.details)).toBe(checked.stdout.trim());
    expect([checked.error.code, checked.error.message]).toEqual([error?.code, error?.message]);
  }
  expect((await desk.run(['create', ...CREATE, ...given, '--yes'])).error).toBeNull();
  const raw = ['api', 'create-transaction', '--input', '-', '--dry-run', '--json'];
  expect((await desk.run(raw, { input: JSON.stringify(BODY) })).stdout).toContain('an idempotency key');
});

describe('swapctl policy set', () => {
  it('names the line of an unknown coin or network and stores nothing', async () => {
    const desk = await deskWith();
    const file = desk.file(
      'policy.json',
      '{"version":1,"rules":[\n{"cap":{"coin":"BTX","amount":"1","per":"order"}},\n{"suspend":{"network":"NOWHERE"}}]}',
    );
    const { error } = await desk.run(['policy', 'set', file, '--yes']);
    expect(error).toMatchObject({ code: 'usage', exitCode: 2 });
    expect(error?.message).toBe(
      'The policy is not valid. Line 2: The service has no coin BTX. Line 3: The service has no network NOWHERE.',
    );
    expect(JSON.parse((await desk.run(['policy', 'show', '--json'])).stdout)).toMatchObject({
      policy: null,
      rules: [],
    });
  });

  it('pins an owner key whose signature is needed to loosen the policy and to resume', async () => {
    const desk = await deskWith();
    const key = desk.file('unused', '').replace('unused', 'owner.pem');
    await setPolicy(desk, [{ open: { most: 1 } }], ['--owner-key', key]);
    expect(readFileSync(key, 'utf8')).toContain('PRIVATE KEY');
    const looser = desk.file('looser.json', '{"version":1,"rules":[{"open":{"most":2}}]}');
    expect((await desk.run(['policy', 'set', looser, '--yes'])).error).toMatchObject(
      policyError('policy_refused'),
    );
    const set = await desk.run(['policy', 'set', looser, '--yes', '--owner-key', key, '--json']);
    expect(JSON.parse(set.stdout)).toMatchObject({
      loosens: ['removes: at most 1 open swap'],
      tightens: [],
      rules: 1,
    });
    await setPolicy(desk, [{ open: { most: 0 } }]);
    await desk.run(['policy', 'stop']);
    expect((await desk.run(['policy', 'resume'])).error).toMatchObject(policyError('policy_refused'));
    expect((await desk.run(['policy', 'resume', '--owner-key', key])).error).toBeNull();
  });

  it('suspends and unsuspends a name as coin and as network if it is both', async () => {
    const desk = await deskWith();
    const { stdout } = await desk.run(['policy', 'suspend', 'eth', '--until', '2h', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      suspended: [
        { kind: 'coin', name: 'ETH' },
        { kind: 'network', name: 'ETH' },
      ],
    });
    expect((await desk.run(['create', ...CREATE, '--yes'])).error).toMatchObject(
      policyError('policy_refused'),
    );
    expect((await desk.run(['policy', 'suspend', 'nowhere'])).error?.exitCode).toBe(2);
    await desk.run(['policy', 'unsuspend', 'ETH']);
    expect((await desk.run(['create', ...CREATE, '--yes'])).error).toBeNull();
  });
});
