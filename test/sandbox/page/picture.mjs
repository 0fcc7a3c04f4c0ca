// Draws docs/images/page.png: the page of a sandbox with a few orders, in Debian's Chromium. Run it after a build:
// node test/sandbox/page/picture.mjs [folder for pictures in all widths and colours]
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const all = process.argv[2];
const home = mkdtempSync(join(tmpdir(), 'swapctl-picture-'));
const env = { PATH: process.env.PATH, HOME: home };
const program = [join(ROOT, 'bin', 'swapctl.js'), 'sandbox'];

const server = spawn(
  process.execPath,
  [...program, 'start', '--port', '0', '--ui', '0', '--seed', '7', '--quiet'],
  {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const [url, page] = await new Promise((resolve) => {
  let text = '';
  server.stdout.on('data', (chunk) => {
    text += chunk;
    const found = /listening on (\S+)\npage at (\S+)\n/.exec(text);
    if (found !== null) resolve([found[1], found[2]]);
  });
});
const api = async (path, method = 'GET', body = undefined) => {
  const { origin, hash } = new URL(page);
  const headers = { authorization: `Bearer ${hash.slice(1)}`, origin };
  const response = await fetch(`${origin}/api${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.json();
};
const [{ publicKey, secret }] = await api('/partners');
const call = async (method, endpoint, body) => {
  const headers = {
    'content-type': 'application/json',
    'x-api-public-key': publicKey,
    'x-api-payload': endpoint,
    'x-api-signature': createHmac('sha512', secret).update(endpoint).digest('hex'),
  };
  const response = await fetch(`${url}/api/private/${endpoint}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.json();
};
const create = async (from, amount, to, receiveAddress, memo) => {
  const side = (name, text) => ({
    [`${name}Coin`]: text.split(':')[0],
    [`${name}Network`]: text.split(':')[1],
  });
  const terms = {
    depositAmount: amount,
    receiveAddress,
    typeSwap: 2,
    lastSource: 'deposit',
    ...(memo && { memo }),
  };
  const made = await call('POST', 'create-transaction', {
    ...side('deposit', from),
    ...side('receive', to),
    ...terms,
  });
  return made.orderNumber;
};

const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const done = await create('BTC:BTC', 0.1, 'ETH:ETH', ETH);
await api(`/orders/${done}/deposit`, 'POST', {});
await api('/clock/advance', 'POST', { milliseconds: 600_000 });
const frozen = await create('USDT:TRX', 500, 'BTC:BTC', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq');
await api(`/orders/${frozen}/deposit`, 'POST', {});
await api(`/orders/${frozen}/move`, 'POST', { verb: 'freeze' });
await create('ETH:ETH', 1.5, 'XRP:XRP', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', '77');
const under = await create('LTC:LTC', 12, 'ETH:ETH', ETH);
await api(`/orders/${under}/deposit`, 'POST', {});
await call('POST', 'create-transaction', { depositCoin: 'BTC' });
await api('/faults', 'POST', { endpoint: 'create-transaction', drop: 'after', times: 1 });

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const shots = [
  { name: 'page', width: 1180, height: 720, colorScheme: 'light', view: 'Orders', order: under },
];
if (all !== undefined) {
  mkdirSync(all, { recursive: true });
  for (const width of [1180, 360])
    for (const colorScheme of ['light', 'dark'])
      for (const view of ['Orders', 'Faults', 'Partners', 'Requests'])
        shots.push({
          name: `${view}-${width}-${colorScheme}`,
          width,
          height: 900,
          colorScheme,
          view,
          order: width === 360 ? done : under,
        });
}
for (const { name, width, height, colorScheme, view, order } of shots) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
  });
  const tab = await context.newPage();
  tab.on('pageerror', (error) => {
    throw error;
  });
  await tab.goto(page);
  await tab.getByRole('button', { name: view, exact: true }).click();
  if (view === 'Orders') await tab.getByRole('button', { name: order }).click();
  if (view === 'Requests') await tab.locator('summary').nth(1).click();
  await tab.waitForTimeout(800);
  const folder = name === 'page' ? join(ROOT, 'docs', 'images') : all;
  await tab.screenshot({ path: join(folder, `${name}.png`), fullPage: name !== 'page' && width === 360 });
  await context.close();
}
await browser.close();
server.kill('SIGTERM');
rmSync(home, { recursive: true, force: true });
