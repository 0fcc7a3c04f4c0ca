import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import {
  BTC_ADDRESS,
  create,
  ETH_ADDRESS,
  expectNothingSent,
  NO,
  TRX_ADDRESS,
  XRP_ADDRESS,
} from './create/wizard.ts';

const SEED = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

let home: string;
beforeEach(async () => {
  home = await temporaryFolder();
});

const run = (...args: readonly string[]) => runHere(args, { home });
const json = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).stdout);
const set = (name: string, ...values: readonly string[]) =>
  run('config', 'set', `address.${name}`, ...values);
/** The body of the request that a create would send, or its error. */
async function body(...args: readonly string[]) {
  const { stdout, error } = await run('create', ...args, '--dry-run', '--json');
  return error === null ? JSON.parse(stdout).request.body : { code: error.code, message: error.message };
}

describe('a saved address', () => {
  it('is stored as it will be sent, shown in full, listed and removed', async () => {
    const lower = ETH_ADDRESS.toLowerCase();
    const stored = await set('Treasury', 'erc20', ` ${ETH_ADDRESS} `);
    expect([stored.error, stored.stdout]).toEqual([null, `erc20\t${ETH_ADDRESS}\n`]);
    expect(await json('config', 'get', 'address.TREASURY')).toEqual({
      key: 'address.treasury',
      value: `erc20 ${ETH_ADDRESS}`,
      default: null,
      network: 'erc20',
      address: ETH_ADDRESS,
      memo: null,
    });
    const warned = await set('lower', 'ETH', lower);
    expect(warned.stderr).toContain('warning: ');
    expect((await json('config', 'list')).slice(-2)).toMatchObject([
      { key: 'address.lower', network: 'ETH' },
      { key: 'address.treasury', value: `erc20 ${ETH_ADDRESS}` },
    ]);
    const { stdout } = await runHere(['config', 'list'], { home, terminals: AT_TERMINAL, columns: 150 });
    expect(stdout).toMatch(
      new RegExp(` address.treasury +erc20 ${ETH_ADDRESS} +address used as @treasury\n`),
    );
    expect((await run('config', 'unset', 'address.treasury')).stdout).toBe('Removed address.treasury.\n');
    expect((await run('config', 'get', 'address.treasuri')).error).toMatchObject({
      code: 'invalid_address',
      exitCode: 2,
      message: 'No address is saved as @treasuri.',
      hint: 'Save it with `swapctl config set address.treasuri <network> <address>`.',
    });
    expect((await run('config', 'unset', 'address.lowr')).error?.hint).toBe('Did you mean @lower?');
  });

  it.each([
    ['a wrong checksum', ['TRX', `${TRX_ADDRESS.slice(0, -1)}F`], 'invalid_address', /checksum/],
    ['an address of another network', ['ETH', TRX_ADDRESS], 'invalid_address', /TRON/],
    ['a seed phrase', ['BTC', SEED], 'invalid_address', /seed phrase/],
    [
      'a seed phrase as separate words',
      ['BTC', ...SEED.split(' ')],
      'usage',
      /network, an address and optionally a memo/,
    ],
    ['a seed phrase as memo', ['XRP', XRP_ADDRESS, SEED], 'invalid_memo', /seed phrase/],
    ['a memo on a network without memos', ['BTC', BTC_ADDRESS, '5'], 'invalid_memo', /Bitcoin has no memo/],
    ['an invalid destination tag', ['XRP', XRP_ADDRESS, '05'], 'invalid_memo', /destination tag/],
    ['no address', ['BTC'], 'usage', /network, an address and optionally a memo/],
    ['the address before the network', [BTC_ADDRESS, 'BTC'], 'unknown_network', /Pass the network first/],
  ])('is rejected with %s, and nothing is stored or repeated', async (_, values, code, words) => {
    const { error, stdout, stderr } = await set('a', ...values);
    expect(error).toMatchObject({ code, exitCode: 2 });
    expect(error?.message).toMatch(words);
    expect(`${error?.message} ${error?.hint} ${stdout} ${stderr}`).not.toContain('winner');
    await expect(readFile(join(home, '.config', 'swapctl', 'config.json'))).rejects.toThrow('ENOENT');
  });

  it.each(['', 'a b', '-x', 'ä', '../x', 'x'.repeat(41), '@a'])('cannot have the name %j', async (name) => {
    expect((await run('config', 'set', '--', `address.${name}`, 'BTC', BTC_ADDRESS)).error?.code).toBe(
      'usage',
    );
  });

  it('is used by create with its memo, but rejected as refund address if it has a memo', async () => {
    await set('desk', 'XRPL', XRP_ADDRESS, '12345');
    await set('cold', 'Bitcoin', BTC_ADDRESS);
    expect(await body('BTC', 'XRP', '0.1', '-a', '@desk', '--refund-address', '@COLD')).toMatchObject({
      receiveAddress: XRP_ADDRESS,
      memo: '12345',
      receiveNetwork: 'XRP',
      refundAddress: BTC_ADDRESS,
    });
    expect(await body('BTC', 'XRP', '0.1', '-a', '@desk', '--memo', '12345')).toMatchObject({
      memo: '12345',
    });
    expect(await body('BTC', 'XRP', '0.1', '-a', '@desk', '--memo', '1')).toMatchObject({
      code: 'invalid_memo',
      message: 'The address @desk is saved with a memo, which --memo contradicts.',
    });
    expect(await body('BTC', 'XRP', '0.1', '-a', '@desk', '--no-memo')).toMatchObject({
      code: 'invalid_memo',
      message: 'The address @desk is saved with a memo, which --no-memo contradicts.',
    });
    expect(await body('XRP', 'BTC', '100', '-a', '@cold', '--refund-address', '@desk')).toMatchObject({
      code: 'invalid_memo',
      message: 'The address @desk is saved with a memo, but the service has no field for a refund memo.',
    });
  });

  it('without a memo requires --memo or --no-memo where the network usually needs a memo', async () => {
    await set('desk', 'XRP', XRP_ADDRESS);
    expect(await body('BTC', 'XRP', '0.1', '-a', '@desk')).toMatchObject({ code: 'memo_required' });
    expect(await body('BTC', 'XRP', '0.1', '-a', '@desk', '-m', '7')).toMatchObject({ memo: '7' });
    expect(await body('BTC', 'XRP', '0.1', '-a', '@desk', '--no-memo')).not.toHaveProperty('memo');
  });

  it('is rejected for any other network, even if the address is valid there', async () => {
    await set('bank', 'ERC20', ETH_ADDRESS);
    await set('vague', 'CRO', ETH_ADDRESS);
    await set('odd', 'NOSUCHNET', ETH_ADDRESS);
    expect(await body('BTC', 'USDT:ETH', '0.1', '-a', '@bank')).toMatchObject({
      receiveAddress: ETH_ADDRESS,
    });
    for (const [name, network] of [
      ['bank', 'BSC'],
      ['bank', 'MATIC'],
      ['vague', 'ETH'],
      ['odd', 'ETH'],
    ] as const) {
      const saved = { bank: 'ERC20', vague: 'CRO', odd: 'NOSUCHNET' }[name];
      expect(await body('BTC', `USDT:${network}`, '0.1', '-a', `@${name}`)).toEqual({
        code: 'invalid_address',
        message: `The address @${name} is saved for network ${saved}, but USDT is received on ${network} here.`,
      });
    }
    expect(await body('ETH', 'BTC', '1', '-a', BTC_ADDRESS, '--refund-address', '@odd')).toEqual({
      code: 'invalid_address',
      message: 'The address @odd is saved for network NOSUCHNET, but ETH is sent on ETH here.',
    });
    expect(await body('BTC', 'ETH', '0.1', '-a', '@nobody')).toEqual({
      code: 'invalid_address',
      message: 'No address is saved as @nobody.',
    });
  });

  it('that was corrupted in the config file is rejected when it is used', async () => {
    await set('bank', 'TRX', TRX_ADDRESS);
    const file = join(home, '.config', 'swapctl', 'config.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(TRX_ADDRESS, `${TRX_ADDRESS.slice(0, -1)}F`), { mode: 0o600 });
    expect(await body('BTC', 'USDT:TRX', '0.1', '-a', '@bank')).toMatchObject({ code: 'invalid_address' });
    await writeFile(
      file,
      text.replace('"network": "TRX"', '"network": 5').replace('"network":"TRX"', '"network":5'),
      { mode: 0o600 },
    );
    expect(await body('BTC', 'USDT:TRX', '0.1', '-a', '@bank')).toMatchObject({ code: 'invalid_config' });
    expect((await json('config', 'list')).at(-1)).toMatchObject({ key: 'address.bank', value: null });
    expect(await body('BTC', 'USDT:TRX', '0.1', '-a', TRX_ADDRESS)).toMatchObject({
      receiveAddress: TRX_ADDRESS,
    });
    expect((await run('config', 'unset', 'address.bank')).error).toBeNull();
    expect(await json('config', 'get', 'rate-type')).toMatchObject({ value: null });
  });

  it('is accepted by refund if it is saved for the network of the deposit', async () => {
    await set('cold', 'btc', BTC_ADDRESS);
    await set('other', 'ETH', ETH_ADDRESS);
    const { order } = await json('create', 'BTC', 'ETH', '0.1', '-a', '@other', '--yes');
    expect(await json('refund', order, '@cold', '--yes')).toMatchObject({ refundAddress: BTC_ADDRESS });
    expect((await run('refund', order, '@other', '--yes')).error?.message).toBe(
      'The address @other is saved for network ETH, but BTC is sent on BTC here.',
    );
  });

  it('can be typed or chosen in the wizard, and the review shows it in full', async () => {
    await set('desk', 'XRP', XRP_ADDRESS, '12345');
    await set('bank', 'ETH', ETH_ADDRESS);
    const listed = await create(
      home,
      ['BTC', 'XRP', '0.1', '--float', '--refund-address', BTC_ADDRESS],
      [{ search: 'Payout address for XRP', term: 'desk', pick: '@desk' }, NO],
    );
    // The rate is not asked for, since a flag gives it.
    expect(listed.prompter.asked).toContain(`  @desk  ${XRP_ADDRESS} with memo 12345`);
    expect(listed.stderr).toContain(`   at address    ${XRP_ADDRESS}\n   with memo     12345\n`);
    const typed = await create(
      home,
      ['BTC', 'ETH', '0.1', '--float', '--refund-address', BTC_ADDRESS],
      [
        { search: 'Payout address for ETH', pick: 'another address…' },
        {
          input: 'Payout address for ETH',
          refused: [
            ['@desk', 'The address @desk is saved for network XRP, but ETH is received on ETH here.'],
            ['@nobody', 'No address is saved as @nobody.'],
          ],
          answer: '@bank',
        },
        NO,
      ],
    );
    expect(typed.stderr).toContain(`   at address    ${ETH_ADDRESS}\n   with memo     none\n`);
    await expectNothingSent(home);
  });
});

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
