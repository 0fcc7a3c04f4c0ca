import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../../src/library/testing.ts';
import { readOverlay } from '../../../src/sandbox/overlay/overlay.ts';
import { readPage } from '../../docs/page.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { call } from '../sandbox.ts';
import { startHere } from '../start-here.ts';

const EXAMPLE = /```json\n(.*?)```/s.exec(readPage('overlays.md').section('The overlay file'))?.[1] ?? '';

const QUERY = { amount: '1', coinFrom: 'ETH', coinTo: 'USDT', lastSource: 'deposit', typeSwap: '2' };

async function overlayFile(text: string): Promise<{ home: string; file: string }> {
  const home = await temporaryFolder();
  const file = join(home, 'overlay.json');
  writeFileSync(file, text);
  return { home, file };
}

async function credentialsOf(home: string) {
  const { stdout } = await runHere(['sandbox', 'partner', 'list', '--json'], { home });
  return (JSON.parse(stdout) as { publicKey: string; secret: string }[])[0] ?? { publicKey: '', secret: '' };
}

describe('sandbox start --overlay', () => {
  it('applies the example of docs/overlays.md, which has every documented decision', async () => {
    const { choices, habits, catalogue } = readOverlay(EXAMPLE);
    const table = readPage('overlays.md').text.split('| decision | values |')[1] ?? '';
    for (const name of Object.keys(choices).filter((each) => each !== 'bounds'))
      expect(table).toContain(`\`${name}\``);
    expect(Object.keys(choices)).toHaveLength(9);
    const { home, file } = await overlayFile(EXAMPLE);
    const server = await startHere(home, '--overlay', file);
    const place = { url: server.url, credentials: await credentialsOf(home), ...(habits && { habits }) };
    const quote = await call(place, 'exchange-coin', { ...QUERY, amount: '0.0005', coinFrom: 'BTC' });
    expect(quote.json).toMatchObject({ minAmount: '0.00050', maxAmount: '2.5' });
    expect(quote.headers.get('ratelimit-limit')).toBe('300');
    const { depositCoins } = (await call(place, 'get-all-coins')).json;
    expect(depositCoins.map(({ subName }: { subName: string }) => subName)).toEqual(['BTC', 'USDT']);
    expect(catalogue?.coins).toHaveLength(2);
    expect((await server.stop()).stderr).toContain('habits of this server: text-amounts, expired-at\n');
  });

  it('gives flags precedence over the file', async () => {
    const { home, file } = await overlayFile('{"habits":["text-amounts"],"decisions":{"rateLimit":"7/60s"}}');
    const server = await startHere(home, '--overlay', file, '--rough', 'no-maximum', '--rate-limit', '9/60s');
    const habits = new Set(['no-maximum'] as const);
    const place = { url: server.url, credentials: await credentialsOf(home), habits };
    const quote = await call(place, 'exchange-coin', QUERY);
    expect([quote.json.maxAmount, quote.headers.get('ratelimit-limit')]).toEqual([0, '9']);
    expect((await server.stop()).stderr).toContain('habits of this server: no-maximum\n');
  });
});

it('startSandbox of swapctl/testing applies an overlay, over which its other options take precedence', async () => {
  const overlay = { habits: ['no-maximum'], decisions: { defaultLimit: 3 } };
  const sandbox = await startSandbox({ overlay, rough: ['expired-at'] });
  const place = { url: sandbox.baseUrl, credentials: sandbox, habits: new Set(['expired-at'] as const) };
  expect((await call(place, 'get-all-coins')).json.depositCoins).toHaveLength(3);
  expect((await call(place, 'exchange-coin', QUERY)).json.maxAmount).toBeGreaterThan(0);
  await sandbox.close();
  await expect(startSandbox({ overlay: { habits: ['polite'] } })).rejects.toMatchObject({ code: 'usage' });
});
