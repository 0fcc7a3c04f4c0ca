import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import { tamper } from '../../../helpers/ledger-damage.ts';
import type { Step } from '../../../helpers/prompter.ts';
import { AT_TERMINAL, runHere } from '../../../helpers/run-here.ts';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import { words } from '../../../helpers/words.ts';
import { deskWith } from '../batch/desk.ts';
import { BTC_ADDRESS, create, dryRunBody, ETH_ADDRESS, NO, orders, XRP_ADDRESS } from './wizard.ts';

const OTHER_ETH = ADDRESSES.otherEth;
const START = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

let home: string;
let now: number;
beforeEach(async () => {
  home = await temporaryFolder();
  now = START;
});

const ran = (...args: readonly string[]) => runHere(args, { home, now: () => now });
const shown = (...args: readonly string[]) => runHere(args, { home, terminals: AT_TERMINAL, now: () => now });
const made = async (...args: readonly string[]): Promise<string> => {
  const { stdout, error } = await ran('create', ...args, '--yes', '--json');
  if (error !== null) throw error;
  return JSON.parse(stdout).order;
};
const ledgerFile = () => `${home}/.local/state/swapctl/ledger.db`;
const guided = (args: readonly string[], steps: readonly Step[]) =>
  create(home, args, steps, { now: () => now });
/** What a list of the wizard offered. */
const offered = ({ prompter }: Awaited<ReturnType<typeof guided>>) =>
  prompter.asked.filter((line) => line.startsWith('  ')).map((line) => line.trim());

const ASKED = ['BTC', 'ETH', '0.1', '--float', '--refund-address', BTC_ADDRESS];

describe('payout and refund addresses of earlier swaps', () => {
  it('are offered once each in the wizard, newest first, and validated', async () => {
    const first = await made('BTC', 'ETH', '0.1', '-a', ETH_ADDRESS);
    now += 86_400_000;
    await made('BTC', 'ETH', '0.1', '-a', OTHER_ETH);
    now += MINUTE;
    const third = await made('BTC', 'ETH', '0.2', '-a', OTHER_ETH);
    // Another network, another coin, and a create that nothing came of.
    await made('BTC', 'USDT:ETH', '0.1', '-a', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045');
    const run = await guided(ASKED, [
      { search: 'Payout address for ETH', term: '2026-03-01', pick: ETH_ADDRESS },
      NO,
    ]);
    expect(offered(run)).toEqual([`${ETH_ADDRESS}  2026-03-01, order ${first}`, 'another address…']);
    expect(run.stderr).toContain(`   at address    ${ETH_ADDRESS}\n`);
    const all = await guided(ASKED, [{ leave: 'Payout address for ETH' }]).catch((error: unknown) => error);
    expect(all).toMatchObject({ error: { code: 'interrupted' } });
    const list = await guided(ASKED, [
      { search: 'Payout address for ETH', pick: 'another address…' },
      { input: 'Payout address for ETH', refused: [[XRP_ADDRESS, 'Invalid']], answer: ETH_ADDRESS },
      NO,
    ]);
    expect(offered(list)).toEqual([
      `${OTHER_ETH}  2026-03-02, order ${third}`,
      `${ETH_ADDRESS}  2026-03-01, order ${first}`,
      'another address…',
    ]);
  });

  it('can be replaced by typing a different address, which is validated', async () => {
    await made('BTC', 'ETH', '0.1', '-a', ETH_ADDRESS);
    const run = await guided(ASKED, [{ search: 'Payout address', term: OTHER_ETH, pick: OTHER_ETH }, NO]);
    expect(run.stderr).toContain(`   at address    ${OTHER_ETH}\n`);
    const wrong = await guided(ASKED, [
      { search: 'Payout address', term: XRP_ADDRESS, pick: XRP_ADDRESS },
      { input: 'Payout address', answer: ETH_ADDRESS },
      NO,
    ]);
    expect(wrong.stderr).toContain('Invalid payout address');
  });

  it('are offered with the memo of the swap', async () => {
    await made('BTC', 'XRP', '0.1', '-a', XRP_ADDRESS, '-m', '12345');
    await made('BTC', 'XRP', '0.1', '-a', XRP_ADDRESS, '--no-memo');
    const args = ['BTC', 'XRP', '0.1', '--float', '--refund-address', BTC_ADDRESS];
    const run = await guided(args, [{ search: 'Payout address for XRP', pick: 'with memo 12345' }, NO]);
    expect(run.stderr).toContain(`   at address    ${XRP_ADDRESS}\n   with memo     12345\n`);
    // That it once went without a memo does not mean that it does so again.
    const asked = await guided(args, [
      { search: 'Payout address for XRP', pick: `${XRP_ADDRESS}  ` },
      { input: 'Memo for XRP', answer: '7' },
      NO,
    ]);
    expect(asked.stderr).toContain('   with memo     7\n');
    const given = await guided(
      [...args, '--memo', '9'],
      [{ search: 'Payout address for XRP', pick: `${XRP_ADDRESS}  ` }, NO],
    );
    expect(offered(given)).toHaveLength(2);
    expect(given.stderr).toContain('   with memo     9\n');
  });

  it('are not offered if the swap has a mismatch, no order or another environment', async () => {
    await made('BTC', 'ETH', '0.1', '-a', ETH_ADDRESS);
    const list = async () =>
      await guided(ASKED, [{ search: 'Payout', pick: 'another' }, { leave: 'Payout' }]);
    expect(offered(await list())).toHaveLength(2);
    for (const [change, back] of [
      [`doubts = '["payout_changed"]'`, "doubts = '[]'"],
      ["outcome = 'unknown'", "outcome = 'created'"],
      ["outcome = 'refused'", "outcome = 'created'"],
      ["outcome = 'dismissed'", "outcome = 'created'"],
      ["environment = 'live'", "environment = 'sandbox'"],
    ]) {
      tamper(ledgerFile(), `update intents set ${change}`);
      const run = await guided(ASKED, [{ input: 'Payout address for ETH', answer: ETH_ADDRESS }, NO]);
      expect([change, offered(run)]).toEqual([change, []]);
      tamper(ledgerFile(), `update intents set ${back}`);
    }
    expect(offered(await list())).toHaveLength(2);
  });

  it('are offered as refund address, but never sent without being chosen', async () => {
    await made('BTC', 'ETH', '0.1', '-a', ETH_ADDRESS, '--refund-address', BTC_ADDRESS);
    const steps: readonly Step[] = [
      { search: 'Payout address', pick: ETH_ADDRESS },
      { search: 'Refund address for BTC, used if the swap fails', pick: BTC_ADDRESS },
      NO,
    ];
    const run = await guided(['BTC', 'ETH', '0.1', '--float'], steps);
    expect(run.stderr).toContain(` Refund address  ${BTC_ADDRESS}\n`);
    const none = await guided(
      ['BTC', 'ETH', '0.1', '--float'],
      [{ search: 'Payout address', pick: ETH_ADDRESS }, { search: 'Refund address', pick: 'none' }, NO],
    );
    expect(none.stderr).toContain(' Refund address  none\n');
    expect(await dryRunBody(home, ['create', 'BTC', 'ETH', '0.1', '-a', ETH_ADDRESS])).not.toHaveProperty(
      'refundAddress',
    );
  });
});

describe('create --like', () => {
  it('copies the terms of an order, and flags take precedence', async () => {
    const order = await made(
      ...words(`BTC XRP 50 --receive --fixed -a ${XRP_ADDRESS} -m 12345 --label team=ops
        --refund-address ${BTC_ADDRESS}`),
    );
    const like = (...args: readonly string[]) =>
      dryRunBody(home, ['create', '--like', order.toLowerCase(), ...args]);
    const same = {
      depositCoin: 'BTC',
      depositNetwork: 'BTC',
      receiveCoin: 'XRP',
      receiveNetwork: 'XRP',
      receiveAddress: XRP_ADDRESS,
      memo: '12345',
      refundAddress: BTC_ADDRESS,
      lastSource: 'receive',
      typeSwap: 1,
    };
    const repeated = await like();
    expect(repeated).toMatchObject(same);
    expect(await like('60')).toMatchObject(same);
    expect(Number((await like('100'))['depositAmount'])).toBeGreaterThan(
      Number(repeated['depositAmount']) * 1.5,
    );
    expect(await like('--float', '-m', '8')).toMatchObject({ ...same, typeSwap: 2, memo: '8' });
    expect(await like('-a', ADDRESSES.xrp, '-m', '9')).toMatchObject({
      receiveAddress: ADDRESSES.xrp,
      memo: '9',
    });
    expect((await like('--no-memo'))['memo']).toBeUndefined();
    // The memo belongs to the address that it was given with.
    const other = await ran('create', '--like', order, '-a', ADDRESSES.xrp, '--dry-run');
    expect(other.error?.code).toBe('memo_required');
    const again = JSON.parse((await ran('create', '--like', order, '--yes', '--json')).stdout);
    expect([again.labels, again.refundAddress, again.replayed]).toEqual([{}, BTC_ADDRESS, false]);
    expect(await orders(home)).toHaveLength(2);
  });

  it('leads to the usual review', async () => {
    const order = await made('BTC', 'ETH', '0.1', '-a', ETH_ADDRESS);
    now += 20 * MINUTE;
    const run = await guided(['--like', order, '0.3'], [NO]);
    expect(run.stderr).toMatch(/ You send +0.3 BTC on BTC\n/);
    expect(run.stderr).toContain(`   at address    ${ETH_ADDRESS}\n   with memo     none\n`);
    expect(run.stderr).not.toContain('the same coins');
  });

  it('requires a known order of the profile and warns if it has a mismatch', async () => {
    const order = await made('BTC', 'ETH', '0.1', '-a', ETH_ADDRESS);
    expect((await ran('create', '--like', 'NOSUCH', '--yes')).error).toMatchObject({
      code: 'not_found',
      exitCode: 3,
      message: 'Order NOSUCH is not in the ledger for this profile.',
    });
    expect((await ran('create', '--like', order, '-r', '--yes')).error).toMatchObject({
      code: 'usage',
      hint: `swapctl create --like ${order} <amount> --receive`,
    });
    const { env, service } = await deskWith();
    const { error } = await runHere(['create', '--like', order, '--yes'], { home, env });
    expect(error?.hint).toBe('It was created with profile sandbox: add -p sandbox.');
    expect(service.posts()).toBe(0);
    tamper(ledgerFile(), `update intents set doubts = '["payout_changed"]'`);
    expect((await ran('create', '--like', order, '--dry-run')).stderr).toContain(
      `warning: order ${order} does not match what was agreed: payout_changed.\n`,
    );
    tamper(ledgerFile(), `update intents set outcome = 'unknown'`);
    expect((await ran('create', '--like', order, '--dry-run')).error?.message).toBe(
      `Order ${order} cannot be repeated: swapctl cannot confirm that it is the requested swap.`,
    );
  });
});

describe('a duplicate swap within ten minutes', () => {
  it('is reported in the review, and on standard error with --yes', async () => {
    const order = await made('BTC', 'ETH', '0.1', '-a', ETH_ADDRESS);
    now += 3 * MINUTE;
    const words = `Order ${order}, created 3 minutes ago, has the same coins, amount, address and memo. You would be creating a duplicate.\n`;
    const again = (...args: readonly string[]) => ran('create', ...args, '--yes');
    const { stderr } = await guided(['BTC', 'ETH', '0.10', '-a', ETH_ADDRESS], [NO]);
    expect(stderr.replace(/\n {2}/g, ' ')).toContain(`warning: ${words}`);
    expect((await again('BTC', 'ETH', '0.1', '-a', ETH_ADDRESS)).stderr).toContain(words);
    expect((await again('BTC', 'ETH', '0.1', '-a', ETH_ADDRESS, '-q')).stderr).not.toContain(
      'the same coins',
    );
    now += 10 * MINUTE + 1;
    expect((await again('BTC', 'ETH', '0.1', '-a', ETH_ADDRESS)).stderr).not.toContain('the same coins');
  });

  it('is recognized by the same amount to receive with --receive', async () => {
    const asked = ['BTC', 'ETH', '2', '--receive', '-a', ETH_ADDRESS];
    const order = await made(...asked);
    // The deposit for it is another one by now.
    now += 3 * MINUTE;
    expect((await ran('create', ...asked, '--yes')).stderr).toContain(
      `Order ${order}, created 3 minutes ago, has the same coins`,
    );
  });
});

describe('status of one swap that waits for its deposit', () => {
  it('shows on a terminal the payment details of create and the time left', async () => {
    const first = await shown('create', 'BTC', 'ETH', '0.1', '-a', ETH_ADDRESS, '--yes', '--float');
    const sheet = first.stdout.slice(first.stdout.indexOf(' Send exactly\n'));
    const order = / Order +(\w+)\n/.exec(first.stdout)?.[1] ?? '';
    now += 12 * MINUTE;
    const status = (...flags: readonly string[]) => shown('status', order, ...flags);
    const { stdout, error } = await status();
    expect(error).toBeNull();
    expect(stdout).toContain(` ${order}  new  · `);
    expect(stdout).toContain('▀');
    expect(stdout).toContain(sheet.replace('30 minutes left', '18 minutes left'));
    for (const flags of [['--no-qr'], ['--no-qr', '--quiet']]) {
      const plain = await status(...flags);
      expect(plain.stdout).toContain(' Send exactly\n');
      expect(plain.stdout).not.toContain('▀');
    }
    await ran('config', 'set', 'qr', 'off');
    expect((await status()).stdout).not.toContain('▀');
    expect((await status('--qr')).stdout).toContain('▀');
    const made = await shown('create', '--like', order, '--yes');
    expect(made.stdout).toContain(' Send exactly\n');
    expect(made.stdout).not.toContain('▀');
    // A pipe and --json are as they were.
    expect((await ran('status', order)).stdout).toMatch(/^order\t/);
    now += 19 * MINUTE;
    const over = await status();
    expect(over.stdout).not.toMatch(/Send exactly|▀/);
  });

  it('shows no payment details if the swap has a mismatch', async () => {
    const order = await made('BTC', 'ETH', '0.1', '-a', ETH_ADDRESS);
    tamper(ledgerFile(), `update intents set first_snapshot = replace(snapshot, 'tb1', 'tb2')`);
    const { stdout, stderr } = await shown('status', order);
    expect(stderr).toContain('Do not fund it.');
    expect(stdout).not.toMatch(/Send exactly|▀/);
  });
});
