import { mkdir, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { coinListFile, storeCoinList } from '../../../src/core/client/coin-list-cache.ts';
import type { Coin } from '../../../src/core/swap/swap.ts';
import { writeConfig } from '../../helpers/config.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { PROGRAM } from '../../helpers/program.ts';

/** A base URL at which no one answers. */
const BASE_URL = 'http://127.0.0.1:9';
const PROFILE = { baseUrl: BASE_URL, publicKey: 'pk_1', secret: 'never-shown', environment: 'sandbox' };

const on = (...networks: string[]) => networks.map((network) => ({ network, memoRequired: false }));
const coin = (code: string, name: string, ...networks: string[]): Coin => ({
  code,
  name,
  image: null,
  deposit: on(...networks),
  receive: on(...networks),
});

/** What a hostile service calls its coins: each would run `touch pwned` if a shell took it for a command. */
export const HOSTILE = ['EV$(touch pwned)', 'EV`touch pwned`', 'EV;touch pwned', "EV'|touch pwned"];

const COINS: readonly Coin[] = [
  coin('BTC', 'Bitcoin', 'BTC'),
  coin('BTT', 'BitTorrent', 'TRX'),
  coin('ETH', 'Ethereum', 'ETH'),
  coin('USDT', 'Tether USD', 'TRX', 'ETH', 'ET$(touch pwned)'),
  coin('QA', 'name $(touch pwned)\t\u001b[31m\u202e`touch pwned`', 'QA'),
  ...HOSTILE.map((code) => coin(code, code, 'EV')),
  coin('XX$(touch pwned)', 'the only one', 'XX'),
  coin('EV\u001b[2J', 'hidden', 'EV'),
  coin('--yes', 'a flag', 'EV'),
];

/** A home with a profile whose coin list is stored, two months old, and with `swapctl` on the path. */
export async function homeWithCoins(): Promise<{ home: string; env: Record<string, string> }> {
  const home = await temporaryFolder();
  writeConfig(home, { current: 'shop', profiles: { shop: PROFILE, 'shop-2': PROFILE } });
  const file = coinListFile(join(home, '.cache', 'swapctl'), BASE_URL, 'pk_1');
  storeCoinList(file, { fetchedAt: Date.now() - 60 * 86_400_000, coins: COINS }, process.pid);
  const bin = join(home, 'bin');
  await mkdir(bin);
  await symlink(PROGRAM, join(bin, 'swapctl'));
  return { home, env: { HOME: home, PATH: `${bin}${delimiter}${process.env['PATH']}` } };
}
