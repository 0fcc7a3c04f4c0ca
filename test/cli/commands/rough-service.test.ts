import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { ETH_ADDRESS, ledger, orders, TRX_ADDRESS, XRP_ADDRESS } from './create/wizard.ts';

async function run(habits: string, ...args: string[]) {
  const home = await temporaryFolder();
  const ran = await runHere(args, { home, env: { SWAPCTL_SANDBOX_ROUGH: habits } });
  return { home, ...ran };
}

describe('a service that', () => {
  it('reads depositAmount as the amount to receive gets no funds, with the reason', async () => {
    const args = ['create', 'BTC', 'ETH', '2.5', '--receive', '-a', ETH_ADDRESS, '--yes', '--json'];
    const { home, error, stdout, stderr } = await run('receive-amount', ...args);
    expect([error?.code, error?.exitCode, stdout]).toEqual(['outcome_unknown', 7, '']);
    expect(error?.message).toMatch(
      /\. The service took the deposit [0-9.]+ as the amount of ETH to receive; do not use --receive with this service\.$/,
    );
    expect(error?.hint).toMatch(/^Do not fund it/);
    expect(stderr).not.toMatch(/tb1|bc1/);
    expect((await ledger(home)).map(({ outcome }) => outcome)).toEqual(['unknown']);
    expect(await orders(home)).toHaveLength(1);
  });

  it('reads it so takes a create by the deposit all the same', async () => {
    const args = ['create', 'BTC', 'ETH', '0.1', '-a', ETH_ADDRESS, '--yes', '--json'];
    const { error, stdout } = await run('all', ...args);
    expect(error).toBeNull();
    expect(JSON.parse(stdout).deposit.amount).toBe('0.1');
  });

  it('responds in doubles accepts an amount to receive: the deposit is rounded up', async () => {
    const args = ['create', 'BTC', 'USDT:TRX', '1000', '--receive', '-a', TRX_ADDRESS, '--yes', '--json'];
    const { error, stdout } = await run('doubles,text-amounts,networks-required,no-maximum', ...args);
    expect(error).toBeNull();
    expect(JSON.parse(stdout).deposit.amount).toMatch(/^0\.[0-9]{1,8}$/);
  });

  it('demands memos is obeyed, and nothing was created', async () => {
    const args = ['create', 'BTC', 'XRP', '0.1', '--no-memo', '-a', XRP_ADDRESS, '--yes', '--json'];
    const { home, error } = await run('memo-required', ...args);
    expect([error?.code, error?.exitCode]).toEqual(['validation_failed', 5]);
    expect(error?.message).toContain('memo should not be empty');
    expect(await orders(home)).toEqual([]);
  });

  it('has no largest amount is quoted without one', async () => {
    const { error, stdout } = await run('no-maximum', 'quote', 'BTC', 'ETH', '1000000', '--json');
    expect([error, JSON.parse(stdout).max]).toEqual([null, null]);
  });

  it('responds with 422 to a pair is reported with its own words', async () => {
    const { error } = await run('unprocessable', 'quote', 'BTC', 'BTC:NOPE', '1');
    expect(error).not.toBeNull();
    expect(error?.outcome === 'nothing-sent' || error?.outcome === 'refused').toBe(true);
  });
});
