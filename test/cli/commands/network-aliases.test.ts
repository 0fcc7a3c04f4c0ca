import { describe, expect, test } from 'vitest';
import { refusing, sendJson } from '../../helpers/raw-server.ts';
import { ADDRESSES, type Answer, listing } from '../../helpers/swap-service.ts';
import { deskWith } from './batch/desk.ts';
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

const deskOfAliases = () =>
  deskWith({ 'get-all-coins': listing(NETWORKS), 'get-coin-network': networksOfCoin });

const CREATE = ['0.1', '-a', ADDRESSES.eth, '--yes', '--json'];

describe('a network alias', () => {
  test.each([
    ['USDT:eth', 'ERC20'],
    ['USDC:AVAX', 'AVAX-C'],
  ])("is sent by quote and create as the service's code: %s is sent as %s", async (to, code) => {
    const { run, service } = await deskOfAliases();
    const quote = await run(['quote', 'btc:bitcoin', to, '0.1', '--json']);
    expect(quote.error).toBeNull();
    expect(JSON.parse(quote.stdout)).toMatchObject({ from: { network: 'BTC' }, to: { network: code } });
    const asked = service.requests.filter(({ endpoint }) => endpoint === 'exchange-coin');
    expect(asked.map(({ query }) => `${query.get('networkFrom')} ${query.get('networkTo')}`)).toEqual([
      `BTC ${code}`,
    ]);
    const made = await run(['create', 'btc:bitcoin', to, ...CREATE]);
    expect(made.error).toBeNull();
    expect(JSON.parse(made.stdout).receive.network).toBe(code);
    const bodies = service.requests.filter(({ method }) => method === 'POST');
    expect(bodies.map(({ body }) => JSON.parse(body).receiveNetwork)).toEqual([code]);
  });

  test('that matches two networks is rejected by quote with both choices and without a request', async () => {
    const { run, service } = await deskOfAliases();
    const { error } = await run(['quote', 'BTC', 'USDC:bnbchain', '0.1']);
    expect(error).toMatchObject({
      code: 'network_required',
      hint: 'Pass one of USDC:BSC, USDC:BNB.',
      details: { coin: 'USDC', network: 'bnbchain', choices: ['USDC:BSC', 'USDC:BNB'] },
    });
    expect(service.count('exchange-coin')).toBe(0);
  });

  test('is listed by networks and accepted by coins --network and by address', async () => {
    const { run } = await deskOfAliases();
    const both = { deposit: true, receive: true, memoRequired: false };
    expect(JSON.parse((await run(['networks', 'USDT', '--json'])).stdout)).toEqual({
      coin: 'USDT',
      networks: [
        { network: 'ERC20', ...both, aliases: ['ETH', 'ETHEREUM', 'eip155:1'] },
        { network: 'TRC20', ...both, aliases: ['TRX', 'TRON'] },
        { network: 'POLYGON', ...both, aliases: ['MATIC', 'POL', 'eip155:137'] },
      ],
    });
    const coinsOn = async (network: string) => {
      const { stdout, error } = await run(['coins', '--network', network]);
      return error?.code ?? stdout.replaceAll(/\t.*/g, '');
    };
    expect(await coinsOn('Ethereum')).toBe('ETH\nUSDT\n');
    expect(await coinsOn('eth')).toBe('ETH\n');
    expect(await coinsOn('Arbitrum')).toBe('unknown_network');
    const { stdout } = await run(['address', 'trc20', TRX_ADDRESS, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ network: 'TRX', valid: true });
  });

  test('is listed by networks without a coin list, with a warning that memos are unknown', async () => {
    const { run } = await deskWith({
      'get-coin-network': networksOfCoin,
      'get-all-coins': refusing(400, 'No list today.'),
    });
    const { stdout, stderr, error } = await run(['networks', 'BTC']);
    expect([stdout, error]).toEqual(['BTC\tyes\tyes\t\tBITCOIN,XBT,SEGWIT\n', null]);
    expect(stderr).toContain('warning: cannot tell which networks need a memo: ');
  });

  test('filters the coin list of the wizard, and an ambiguous alias leads to a question', async () => {
    const { home, env } = await deskWith({ 'get-all-coins': listing(NETWORKS) });
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
