import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pageFiles } from '../../../src/sandbox/page/page.ts';
import { hasBrowser, startBrowser } from '../../helpers/browser.ts';
import { call, newOrder, sandboxForTest, type TestSandbox } from '../sandbox.ts';

const WAIT = { timeout: 15_000 };

let browser: Browser;
let sandbox: TestSandbox;
let page: Page;
/** Messages of the browser's console, such as blocked scripts and uncaught errors. */
let consoleMessages: string[];

beforeAll(async () => {
  if (hasBrowser) browser = await startBrowser();
});

afterAll(() => browser?.close());

beforeEach(async () => {
  sandbox = await sandboxForTest({ page: { port: 0, files: pageFiles() }, keepsRequests: true });
});

afterEach(async () => await page?.context().close());

async function openPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1180, height: 800 }, ...options });
  page = await context.newPage();
  consoleMessages = [];
  page.on('console', (message) => consoleMessages.push(message.text()));
  page.on('pageerror', (error) => consoleMessages.push(error.message));
  await page.goto(sandbox.pageUrl ?? '');
}

const buttonOf = (name: string) => page.getByRole('button', { name, exact: true });
const rowOf = (order: string) => page.getByRole('row').filter({ hasText: order });
const sees = (text: string, order: string) => rowOf(order).filter({ hasText: text }).waitFor(WAIT);

describe.runIf(hasBrowser)('the sandbox page in a real browser', () => {
  it('takes an order to success and shows its requests', async () => {
    await openPage();
    await page.getByText('No orders yet').waitFor(WAIT);
    const order = await newOrder(sandbox);
    await buttonOf(order).click();
    await buttonOf('Exact 0.1 BTC').click();
    await sees('confirmation', order);
    await buttonOf('+10 min, advance the clock').click();
    await sees('success', order);
    expect(await page.locator('.timeline li').allTextContents()).toEqual([
      '2026-01-01 00:00:00 created',
      '2026-01-01 00:00:00 confirmation (1)',
      '2026-01-01 00:00:04 exchanging (3)',
      '2026-01-01 00:00:09 paid out (12)',
      '2026-01-01 00:00:33 success (4)',
    ]);
    const { receive } = (await sandbox.operator.orders.list())[0] ?? {};
    for (const exact of [receive?.address, receive?.txId, `${receive?.amount} ETH`])
      expect(await page.locator('.order').textContent()).toContain(exact);

    const frozen = await newOrder(sandbox);
    await buttonOf(frozen).click();
    await buttonOf('Less 0.05').click();
    await sees('confirmation', frozen);
    await buttonOf('freeze').click();
    await sees('frozen', frozen);
    expect(await page.getByRole('status').textContent()).toMatch(/freeze done|frozen/);
    expect((await sandbox.operator.orders.list())[0]).toMatchObject({
      status: 11,
      deposit: { amount: '0.05' },
    });

    await buttonOf('Requests').click();
    await page.locator('summary').first().click();
    expect(await page.locator('summary').first().textContent()).toContain(
      '201POST /api/private/create-transaction',
    );
    expect(await page.locator('pre').first().textContent()).toContain('"depositAmount":0.1');
    expect(consoleMessages).toEqual([]);
  });

  it('works with the keyboard only and keeps the focus during updates', async () => {
    const order = await newOrder(sandbox);
    await openPage();
    await rowOf(order).waitFor(WAIT);
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 60; presses += 1) {
        if ((await focused()) === name) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab did not reach ${name}.`);
    };
    await tabTo(order);
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineWidth');
    expect(outline).toBe('3px');
    await page.keyboard.press('Enter');
    await page.locator('#order-title').waitFor(WAIT);
    await tabTo('Exact 0.1 BTC');
    await page.keyboard.press('Enter');
    await sees('confirmation', order);
    expect(await focused()).toBe('Exact 0.1 BTC');
    await newOrder(sandbox);
    await expect.poll(() => page.getByRole('row').count(), WAIT).toBe(3);
    expect(await focused()).toBe('Exact 0.1 BTC');
    await tabTo('pause');
    await page.keyboard.press('Space');
    await sees('pause', order);
  });

  it('does not move the focus to an order that opens after the person has moved on', async () => {
    const order = await newOrder(sandbox);
    await openPage();
    await rowOf(order).waitFor(WAIT);
    const polls: (() => void)[] = [];
    await page.route('**/orders?limit=*', async (route) => {
      await new Promise<void>((resolve) => polls.push(resolve));
      await route.continue();
    });
    await expect.poll(() => polls.length, WAIT).toBe(1);
    await buttonOf(order).press('Enter');
    polls[0]?.();
    await expect.poll(() => polls.length, WAIT).toBe(2);
    await buttonOf('Exact 0.1 BTC').focus();
    polls[1]?.();
    await expect.poll(() => polls.length, WAIT).toBe(3);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Exact 0.1 BTC');
  });

  it('adds and removes faults, and lists and adds partners with their key pairs', async () => {
    await openPage();
    const { secret, publicKey } = sandbox.credentials;
    await buttonOf('Faults').click();
    await page.getByLabel('Respond with status').fill('503');
    await page.getByLabel('Times').fill('1');
    await page.getByText('More').click();
    await page
      .getByLabel('Respond with this body')
      .fill('<img src=x onerror="document.title=1"><script>document.title=2</script>');
    await buttonOf('Add the fault').click();
    await page.locator('td.text').filter({ hasText: '<script>' }).waitFor(WAIT);
    expect(await sandbox.operator.faults.list()).toMatchObject([{ id: 1, rule: { status: 503, times: 1 } }]);
    await buttonOf('Remove fault 1').click();
    await page.getByText('No faults').waitFor(WAIT);
    await buttonOf('Partners').click();
    await page.getByText(publicKey).waitFor(WAIT);
    await page.getByText(secret).waitFor(WAIT);
    await page.getByLabel('Name').fill('rival');
    await buttonOf('Add the partner').click();
    await page.getByRole('region', { name: 'Partner rival' }).waitFor(WAIT);
    expect(await page.title()).toBe('swapctl sandbox');
    expect(consoleMessages).toEqual([]);
  });

  it('shows HTML sent by clients as text', async () => {
    const attack = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    await sandbox.operator.faults.add({ endpoint: 'get-coin-network', body: attack, times: 1 });
    await call(sandbox, 'get-coin-network', { coin: attack }).catch(() => undefined);
    await fetch(`${sandbox.url}/${encodeURIComponent(attack)}?${attack}`);
    await openPage();
    await buttonOf('Requests').click();
    await expect.poll(() => page.locator('.requests li').count(), WAIT).toBe(2);
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await page.locator('pre').filter({ hasText: attack }).count()).toBe(1);
    expect(await page.locator('main img, main script, main [onerror]').count()).toBe(0);
    expect(await page.title()).toBe('swapctl sandbox');
    expect(consoleMessages).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('fits 360 pixels and is accessible in %s mode', async (colorScheme) => {
    const order = await newOrder(sandbox);
    await sandbox.operator.faults.add({ endpoint: 'get-all-coins', delay: 1 });
    await openPage({ viewport: { width: 360, height: 740 }, colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    for (const view of ['Orders', 'Faults', 'Partners', 'Requests']) {
      await buttonOf(view).click();
      await page.getByText('Loading.').waitFor({ ...WAIT, state: 'detached' });
      if (view === 'Orders') {
        await buttonOf(order).click();
        await page.locator('#order-title').waitFor(WAIT);
      }
      for (const summary of (await page.locator('main summary').all()).slice(0, 2)) await summary.click();
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([view, width]).toEqual([view, 360]);
      // Dark mode changes only colours.
      const rules = colorScheme === 'dark' ? `{ runOnly: ['color-contrast'] }` : '';
      const { violations } = await page.evaluate<AxeResult>(`axe.run(${rules})`);
      const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      const found = grave.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
      expect([view, found]).toEqual([view, []]);
    }
  });
});

/** The part of an axe-core result that is used. */
interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
