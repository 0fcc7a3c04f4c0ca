import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { complete } from '../../../src/cli/completion/complete.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { ADDRESSES } from '../../helpers/swap-service.ts';
import { HOSTILE, homeWithCoins } from './home.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'dist');

/** Lines behind the first one that a shell is given for a line. */
async function answer(shell: string, line: string, env: Record<string, string>): Promise<string[]> {
  const words = shell === 'bash' ? [line] : line.split(' ');
  const text = await complete([shell, ...words], { env, platform: 'linux', folder });
  const [kind, ...lines] = text.split('\n').slice(0, -1);
  return kind === 'files' ? ['files'] : lines;
}

describe('shell completion', () => {
  it.each([
    ['swapctl quo', ['quote']],
    ['swapctl --json -p shop quo', ['quote']],
    ['TZ=UTC swapctl quo', ['quote']],
    ['swapctl sandbox fau', ['fault']],
    ['swapctl sandbox fault ', ['add', 'list', 'clear']],
    ['swapctl history s', ['show', 'support', 'sent']],
    ['swapctl quote --fix', ['--fixed']],
    ['swapctl quote BTC ETH 1 --fix', ['--fixed']],
    ['swapctl coins --pro', ['--profile']],
    ['swapctl --color ', ['auto', 'always', 'never']],
    ['swapctl coins --color=a', ['--color=auto', '--color=always']],
    ['swapctl sandbox fault add all --drop b', ['before']],
    ['swapctl history --status ref', ['refund', 'refused']],
    ['swapctl listen --events swap.success,swap.er', ['swap.success,swap.error']],
    ['swapctl sandbox start --rough text-amounts,dou', ['text-amounts,doubles']],
    ['swapctl sandbox start --rough --mag', ['--magic']],
    ['swapctl status --fields order,deposit.ad', ['order,deposit.address']],
    ['swapctl api --fields ', []],
    ['swapctl config set rate', ['rate-type']],
    ['swapctl config set rate-type ', ['fixed', 'float']],
    ['swapctl config set color a', ['auto', 'always']],
    ['swapctl config set qr o', ['on', 'off']],
    ['swapctl config set interval ', []],
    ['swapctl config set rate-type fixed ', []],
    ['swapctl config set ledger /tm', ['files']],
    ['swapctl config set address.treasury T', ['TRX']],
    ['swapctl completion ', ['bash', 'zsh', 'fish']],
    ['swapctl help exi', ['exit-codes']],
    ['swapctl help sandbox mo', ['move']],
    ['swapctl quote bt', ['BTC', 'BTT']],
    ['swapctl quote BTC eth', ['ETH']],
    ['swapctl quote BTC usdt:t', ['USDT:TRX']],
    ['swapctl policy suspend usdt:t', ['USDT:TRX']],
    ['swapctl coins --network T', ['TRX']],
    ['swapctl networks ET', ['ETH']],
    ['swapctl auth switch s', ['shop', 'shop-2', 'sandbox']],
    ['swapctl coins -p shop-', ['shop-2']],
    ['swapctl create BTC ETH 1 --label ', []],
    ['swapctl quote BTC ETH 1 ', []],
    ['swapctl coins -- --', []],
    ['swapctl batch pay', ['files']],
    ['swapctl "quote" "b', []],
    ['swapctl quote $(touch pwned) b', []],
    ['swapctl nope ', []],
  ])('offers the matching words for `%s`', async (line, words) => {
    const { env } = await homeWithCoins();
    expect(await answer('bash', line, env)).toEqual(words);
  });

  it('describes each word in zsh and fish', async () => {
    const { env } = await homeWithCoins();
    for (const shell of ['zsh', 'fish']) {
      expect(await answer(shell, 'swapctl quote BTC', env)).toEqual(['BTC\tBitcoin']);
      expect(await answer(shell, 'swapctl networks usdt', env)).toEqual(['USDT\tTether USD']);
      expect(await answer(shell, 'swapctl auth switch shop-', env)).toEqual(['shop-2\tsandbox, 127.0.0.1:9']);
      expect(await answer(shell, 'swapctl quote --fix', env)).toEqual(['--fixed\tfixed rate']);
    }
  });

  it('quotes names from the service for bash and leaves out unsafe ones', async () => {
    const { env } = await homeWithCoins();
    const words = await answer('bash', 'swapctl quote EV', env);
    expect(words).toEqual([
      'EV\\$\\(touch\\ pwned\\)',
      'EV\\`touch\\ pwned\\`',
      'EV\\;touch\\ pwned',
      "EV\\'\\|touch\\ pwned",
    ]);
    expect(await answer('fish', 'swapctl quote EV', env)).toEqual(HOSTILE.map((code) => `${code}\t${code}`));
    const all = await answer('fish', 'swapctl quote ', env);
    expect(all).not.toContain('--yes\ta flag');
    expect(all).toContain('QA\tname $(touch pwned)<U+0009><U+001B>[31m<U+202E>`touch pwned`');
  });

  it('offers open orders from the ledger with their status', async () => {
    const home = await temporaryFolder();
    const line = ['create', 'BTC', 'ETH', '0.1', '--address', ADDRESSES.eth, '--yes', '--json'];
    const { order } = JSON.parse((await runHere(line, { home })).stdout) as { order: string };
    const env = { HOME: home };
    expect(await answer('fish', 'swapctl status ', env)).toEqual([`${order}\tnew, BTC to ETH, sandbox`]);
    expect(await answer('bash', `swapctl refund ${order.slice(0, 3).toLowerCase()}`, env)).toEqual([order]);
    expect(await answer('bash', `swapctl status ${order} `, env)).toEqual([]);
    expect(await answer('bash', 'swapctl status -p shop ', env)).toEqual([]);
    const elsewhere = { ...env, SWAPCTL_LEDGER: 'postgres://127.0.0.1:9/none' };
    expect(await answer('bash', 'swapctl status ', elsewhere)).toEqual([]);
  });

  it('offers built-in coins on a new machine without creating files', async () => {
    const home = await temporaryFolder();
    const env = { HOME: home };
    expect(await answer('bash', 'swapctl quote BT', env)).toContain('BTC');
    expect(await answer('bash', 'swapctl quote BTC USDT:TR', env)).toEqual(['USDT:TRX']);
    expect(await answer('bash', 'swapctl status ', env)).toEqual([]);
    expect(['.config', '.local', '.cache'].filter((name) => existsSync(join(home, name)))).toEqual([]);
  });

  it('uses the public key from the environment without reading its secret', async () => {
    const { env } = await homeWithCoins();
    const named = { SWAPCTL_BASE_URL: 'http://127.0.0.1:9/', SWAPCTL_PUBLIC_KEY: 'pk_1' };
    const secret = { SWAPCTL_SECRET_FILE: '/nonexistent' };
    expect(await answer('bash', 'swapctl quote bt', { ...env, ...named, ...secret })).toEqual(['BTC', 'BTT']);
  });

  it('offers no coins if the settings cannot be read', async () => {
    const { env } = await homeWithCoins();
    expect(await answer('bash', 'swapctl quote bt', { ...env, SWAPCTL_PROFILE: 'gone' })).toEqual([]);
    expect(await answer('bash', 'swapctl quote --fix', { ...env, SWAPCTL_PROFILE: 'gone' })).toEqual([
      '--fixed',
    ]);
  });
});
