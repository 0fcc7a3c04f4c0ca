import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { sendJson } from '../../helpers/raw-server.ts';
import { type RanHere, runHere } from '../../helpers/run-here.ts';
import { profileAt } from '../../helpers/scene.ts';
import type { Answer, SwapService } from '../../helpers/swap-service.ts';
import { ADDRESSES, listing, startSwapService } from '../../helpers/swap-service.ts';
import { create, ETH_ADDRESS, expectNothingSent, NO, TRX_ADDRESS } from './create/wizard.ts';

/** Codes as a service might have them: token standards for tokens, and two codes for one chain. */
const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  BTC: ['BTC'],
  ETH: ['ETH'],
  USDT: ['ERC20', 'TRC20', 'POLYGON'],
  USDC: ['BSC', 'BNB', 'AVAX-C'],
};

const networksOfCoin: Answer = ({ query }, response) => {
  const names = (NETWORKS[query.get('coin') ?? ''] ?? []).map((subName) => ({ subName }));
  sendJson(response, 200, { deposit: names, withdraws: names });
};

/** Runs a command line at that service. */
async function ran(args: readonly string[], home?: string): Promise<RanHere & { service: SwapService }> {
  const service = await startSwapService({
    'get-all-coins': listing(NETWORKS),
    'get-coin-network': networksOfCoin,
  });
  onTestFinished(() => service.close());
  const run = await runHere(args, { home: home ?? (await temporaryFolder()), env: profileAt(service.url) });
  return { ...run, service };
}

const CREATE = ['0.1', '-a', ADDRESSES.eth, '--yes', '--json'];

describe('a network alias', () => {
  test.each([
    ['USDT:eth', 'ERC20'],
    ['USDC:AVAX', 'AVAX-C'],
  ])("is sent by quote and create as the service's code: %s is sent as %s", async (to, code) => {
    const quote = await ran(['quote', 'btc:bitcoin', to, '0.1', '--json']);
    expect(quote.error).toBeNull();
    expect(JSON.parse(quote.stdout)).toMatchObject({ from: { network: 'BTC' }, to: { network: code } });
    const asked = quote.service.requests.filter(({ endpoint }) => endpoint === 'exchange-coin');
    expect(asked.map(({ query }) => [query.get('networkFrom'), query.get('networkTo')])).toEqual([
      ['BTC', code],
    ]);
    const made = await ran(['create', 'btc:bitcoin', to, ...CREATE]);
    expect(made.error).toBeNull();
    expect(JSON.parse(made.stdout).receive.network).toBe(code);
    const bodies = made.service.requests.filter(({ method }) => method === 'POST');
    expect(bodies.map(({ body }) => JSON.parse(body).receiveNetwork)).toEqual([code]);
  });

  test('that matches two networks is rejected by quote with both choices and without a request', async () => {
    const { error, service } = await ran(['quote', 'BTC', 'USDC:bnbchain', '0.1']);
    expect(error).toMatchObject({
      code: 'network_required',
      hint: 'Pass one of USDC:BSC, USDC:BNB.',
      details: { coin: 'USDC', network: 'bnbchain', choices: ['USDC:BSC', 'USDC:BNB'] },
    });
    expect(service.count('exchange-coin')).toBe(0);
  });

  test('is listed by networks and accepted by coins --network', async () => {
    const run = await ran(['networks', 'USDT', '--json']);
    expect(JSON.parse(run.stdout)).toEqual({
      coin: 'USDT',
      networks: [
        ['ERC20', ['ETH', 'ETHEREUM', 'eip155:1']],
        ['TRC20', ['TRX', 'TRON']],
        ['POLYGON', ['MATIC', 'POL', 'eip155:137']],
      ].map(([network, aliases]) => ({
        network,
        deposit: true,
        receive: true,
        memoRequired: false,
        aliases,
      })),
    });
    const both = await ran(['coins', '--network', 'Ethereum']);
    expect(both.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual(['ETH', 'USDT', '']);
    const one = await ran(['coins', '--network', 'eth']);
    expect(one.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual(['ETH', '']);
    const none = await ran(['coins', '--network', 'Arbitrum']);
    expect(none.error).toMatchObject({ code: 'unknown_network' });
  });

  test('is listed by networks without a coin list, with a warning that memos are unknown', async () => {
    const service = await startSwapService({
      'get-coin-network': networksOfCoin,
      'get-all-coins': (_, response) =>
        sendJson(response, 400, { statusCode: 400, message: 'No list today.' }),
    });
    onTestFinished(() => service.close());
    const env = profileAt(service.url);
    const { stdout, stderr, error } = await runHere(['networks', 'BTC'], { env });
    expect([stdout, error]).toEqual(['BTC\tyes\tyes\t\tBITCOIN,XBT,SEGWIT\n', null]);
    expect(stderr).toContain('warning: cannot tell which networks need a memo: ');
  });

  test('is accepted by swapctl address as the network', async () => {
    const home = await temporaryFolder();
    const run = await runHere(['address', 'eip155:137', ETH_ADDRESS, '--json'], { home });
    expect(JSON.parse(run.stdout)).toMatchObject({ network: 'MATIC', valid: true });
    const tron = await runHere(['address', 'trc20', TRX_ADDRESS, '--json'], { home });
    expect(JSON.parse(tron.stdout)).toMatchObject({ network: 'TRX', valid: true });
  });

  test('filters the coin list of the wizard, and an ambiguous alias leads to a question', async () => {
    const home = await temporaryFolder();
    const service = await startSwapService({ 'get-all-coins': listing(NETWORKS) });
    const env = profileAt(service.url);
    onTestFinished(() => service.close());
    const { prompter, stderr, error } = await create(
      home,
      ['BTC', 'USDC:BEP20', '0.1', '-a', ETH_ADDRESS],
      [{ search: 'Network on which you receive USDC', term: 'smart chain', pick: 'USDC:BNB' }, NO],
      { env },
    );
    expect(error?.code).toBe('declined');
    expect(prompter.asked.filter((line) => line.startsWith('  '))).toEqual([
      '  USDC:BSC  USDC',
      '  USDC:BNB  USDC',
    ]);
    expect(stderr).toMatch(/ You receive +about [0-9.]+ USDC on BNB/);
    const tron = await create(
      home,
      ['BTC'],
      [{ search: 'Coin to receive', term: 'usdt tron', pick: 'USDT:TRC20' }, { leave: 'Which amount' }],
      { env },
    );
    expect(tron.prompter.asked.filter((line) => line.startsWith('  '))).toEqual([
      '  USDT:TRC20    USDT',
      '  the BTC you send',
      '  the USDT you receive',
    ]);
    await expectNothingSent(home);
  });
});
