import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { ETH_ADDRESS, ledger, orders, TRX_ADDRESS, XRP_ADDRESS } from './create/wizard.ts';

async function run(habits: string, ...args: string[]) {
  const home = await temporaryFolder();
  const ran = await runHere(args, { home, env: { SWAPCTL_SANDBOX_ROUGH: habits } });
  return { home, ...ran };
}

describe('swapctl with a rough service', () => {
  it('create --receive exits with 7 if depositAmount is treated as the amount to receive', async () => {
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

  it('create without --receive succeeds if depositAmount is treated as the amount to receive', async () => {
    const args = ['create', 'BTC', 'ETH', '0.1', '-a', ETH_ADDRESS, '--yes', '--json'];
    const { error, stdout } = await run('all', ...args);
    expect(error).toBeNull();
    expect(JSON.parse(stdout).deposit.amount).toBe('0.1');
  });

  it('create --receive rounds the deposit up if the service responds with doubles', async () => {
    const args = ['create', 'BTC', 'USDT:TRX', '1000', '--receive', '-a', TRX_ADDRESS, '--yes', '--json'];
    const { error, stdout } = await run('doubles,text-amounts,networks-required,no-maximum', ...args);
    expect(error).toBeNull();
    expect(JSON.parse(stdout).deposit.amount).toMatch(/^0\.[0-9]{1,8}$/);
  });

  it('create --no-memo fails with validation_failed if the service requires a memo', async () => {
    const args = ['create', 'BTC', 'XRP', '0.1', '--no-memo', '-a', XRP_ADDRESS, '--yes', '--json'];
    const { home, error } = await run('memo-required', ...args);
    expect([error?.code, error?.exitCode]).toEqual(['validation_failed', 5]);
    expect(error?.message).toContain('memo should not be empty');
    expect(await orders(home)).toEqual([]);
  });

  it('quote has max null if the service has no maximum', async () => {
    const { error, stdout } = await run('no-maximum', 'quote', 'BTC', 'ETH', '1000000', '--json');
    expect([error, JSON.parse(stdout).max]).toEqual([null, null]);
  });

  it('quote reports an unknown network as unknown_network if the service responds with 422', async () => {
    const { error, stderr } = await run('unprocessable', 'quote', 'BTC', 'ETH:NOPE', '1', '--debug');
    expect(stderr).toMatch(/^debug: GET \/api\/private\/exchange-coin 422 /m);
    expect(error).toMatchObject({ code: 'unknown_network', exitCode: 2, outcome: 'nothing-sent' });
  });
});
