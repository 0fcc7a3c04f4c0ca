import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { showsLinks } from '../../../src/cli/terminal/environment.ts';
import { PLAIN } from '../../../src/cli/terminal/style.ts';
import { swapView } from '../../../src/cli/views/swap.ts';
import { explorerUrl } from '../../../src/core/swap/networks/explorers.ts';
import { findNetwork } from '../../../src/core/swap/networks/networks.ts';
import { NOW, swapIn } from './live/swaps.ts';

const TX = 'ab'.repeat(32);
const PAID = swapIn('success', { deposit: { txId: TX }, receive: { address: 'T9' } });
const linked = (text: string, url: string) => `\u001b]8;;${url}\u0007${text}\u001b]8;;\u0007`;

describe('links to block explorers', () => {
  const screen = async (stored: string | null, environment: 'live' | 'sandbox' = 'live') =>
    swapView({ ...PAID, environment }, NOW).screen({ ...PLAIN, links: () => stored }, 80);

  it('are added to transactions and addresses of a live swap without changing the text', async () => {
    const text = await screen(null);
    expect(text).toContain(linked(TX, `https://mempool.space/tx/${TX}`));
    expect(text).toContain(linked('T9', 'https://tronscan.org/#/address/T9'));
    const plain = await swapView({ ...PAID, environment: 'live' }, NOW).screen(PLAIN, 80);
    expect(plain).not.toContain('\u001b');
    expect(stripVTControlCharacters(text)).toBe(plain);
  });

  it('point to the configured explorer, and are left out if it is not a valid URL', async () => {
    expect(await screen('https://btc.example/')).toContain(linked(TX, `https://btc.example/tx/${TX}`));
    expect(await screen('https://x.example/{}?a')).toContain(linked(TX, `https://x.example/${TX}?a`));
    for (const broken of ['javascript:alert()', 'https://x\u001b]8;;', 'file:///etc/passwd'])
      expect(await screen(broken)).not.toContain('\u001b]8;;');
  });

  it('are left out for a sandbox', async () => {
    expect(await screen(null, 'sandbox')).not.toContain('\u001b');
  });

  it('percent-encode unsafe characters', () => {
    const evil = 'a\u0007/../$&"';
    expect(explorerUrl('btc', 'transaction', evil)).toBe('https://mempool.space/tx/a%07%2F..%2F%24%26%22');
  });

  it('exist for known networks under any of their names', () => {
    expect(explorerUrl('ERC20', 'address', '0x1')).toBe('https://etherscan.io/address/0x1');
    expect(explorerUrl('XMR', 'address', '4')).toBeNull();
    expect(explorerUrl('NOSUCH', 'transaction', 'x')).toBeNull();
    for (const code of ['TRX', 'SOL', 'TON', 'XLM', 'SUI']) expect(findNetwork(code)?.code).toBe(code);
  });
});

it.each([
  [{}, false],
  [{ TERM: 'xterm-256color' }, false],
  [{ TERM: 'xterm-kitty' }, true],
  [{ TERM_PROGRAM: 'iTerm.app' }, true],
  [{ VTE_VERSION: '7600' }, true],
  [{ VTE_VERSION: '4800' }, false],
  [{ WT_SESSION: 'x' }, true],
  [{ WT_SESSION: 'x', CI: '1' }, false],
  [{ VTE_VERSION: '7600', TERM: 'tmux-256color', TERM_PROGRAM: 'tmux' }, false],
  [{ FORCE_HYPERLINK: '1', TERM: 'screen' }, true],
  [{ FORCE_HYPERLINK: '0', TERM: 'xterm-kitty' }, false],
])('support for terminal hyperlinks is detected from %j: %s', (env, shown) => {
  expect(showsLinks(env)).toBe(shown);
});
