import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atTerminal } from '../../helpers/terminal.ts';
import { hasTool } from '../../helpers/tools.ts';
import { homeWithCoins } from './home.ts';

/** How a shell is started and told to complete; Ctrl-X then writes its line to the file `line`. */
const SHELLS = {
  bash: {
    start: 'bash --norc --noprofile -i',
    setUp: [
      'source <(swapctl completion bash)',
      'bind "set completion-query-items 0"; bind "set page-completions off"',
      `bind -x '"\\C-x": printf "%s" "$READLINE_LINE" > line; mv line done'`,
    ],
  },
  zsh: {
    start: 'zsh -f -i',
    setUp: [
      'autoload -U compinit; compinit -D -u; source <(swapctl completion zsh)',
      'tell() { printf "%s" "$BUFFER" > line; mv line done }; zle -N tell; bindkey "^X" tell',
    ],
  },
} as const;

/** Types lines and Tab into a shell at a terminal, and returns each line as it is then, and the screen. */
async function completed(name: keyof typeof SHELLS, typed: readonly string[], then = '') {
  const { home, env } = await homeWithCoins();
  const { start, setUp } = SHELLS[name];
  const shell = atTerminal(`stty cols 200 rows 50; exec ${start}`, home, { ...env, PS1: 'ready> ' });
  await shell.shows(/ready> |% $/);
  shell.type(`PS1="ready> "; ${setUp.join('; ')}; echo "set"" up"\r`);
  await shell.shows('set up');
  await shell.shows(/set up\r?\n[\s\S]*ready> /);
  const done = join(home, 'done');
  const lines: string[] = [];
  for (const line of typed) {
    rmSync(done, { force: true });
    // Not Ctrl-C, which would drop what is typed behind it.
    shell.type(`\u0015${line}\t\u0018`);
    for (let look = 0; !existsSync(done) && look < 400; look += 1)
      await new Promise((resolve) => setTimeout(resolve, 25));
    lines.push(readFileSync(done, 'utf8'));
  }
  shell.type(`${then}\u0015exit\r`);
  const { screen } = await shell.ended;
  return { lines, screen, pwned: existsSync(join(home, 'pwned')) };
}

describe.each(['bash', 'zsh'] as const)('%s', (name) => {
  it.runIf(hasTool(name))('completes commands, coins, networks and values', async () => {
    const wanted = {
      'swapctl netw': 'swapctl networks ',
      'swapctl quote eth': 'swapctl quote ETH ',
      'swapctl quote BTC USDT:T': 'swapctl quote BTC USDT:TRX ',
      'swapctl coins --color=al': 'swapctl coins --color=always ',
      'swapctl config set rate-type fi': 'swapctl config set rate-type fixed ',
    };
    expect((await completed(name, Object.keys(wanted))).lines).toEqual(Object.values(wanted));
  });

  it.runIf(hasTool(name))('does not run a command in a coin name, even if a line is submitted', async () => {
    const { lines, pwned } = await completed(name, ['swapctl networks xx'], '\r');
    expect([lines, pwned]).toEqual([['swapctl networks XX\\$\\(touch\\ pwned\\) '], false]);
    const { screen, ...sent } = await completed(name, ['swapctl quote '], '\t\t\u0015swapctl quote QA\t\r');
    expect([sent.pwned, screen.includes('\u202e'), screen.includes('\u001b[2J')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

it.runIf(hasTool('zsh'))('zsh describes each word', async () => {
  const { screen } = await completed('zsh', ['swapctl quote BT']);
  expect(screen).toContain('BTC  -- Bitcoin');
  expect(screen).toContain('BTT  -- BitTorrent');
});

describe('fish', () => {
  const fish = async (line: string) => {
    const { home, env } = await homeWithCoins();
    // The words that fish would offer, and the line as it would be with the only one.
    const script = `swapctl completion fish | source; complete -C $argv[1]`;
    const run = spawnSync('fish', ['--no-config', '-c', script, line], {
      cwd: home,
      env: { ...env, TERM: 'xterm' },
      encoding: 'utf8',
    });
    return {
      words: run.stdout.trimEnd().split('\n'),
      stderr: run.stderr,
      pwned: existsSync(join(home, 'pwned')),
    };
  };

  it.runIf(hasTool('fish'))('completes and describes commands, coins, networks and values', async () => {
    const clean = { stderr: '', pwned: false };
    expect(await fish('swapctl netw')).toEqual({
      ...clean,
      words: ['networks\tlist the networks of one coin'],
    });
    expect(await fish('swapctl quote bt')).toEqual({ ...clean, words: ['BTC\tBitcoin', 'BTT\tBitTorrent'] });
    expect(await fish('swapctl quote BTC USDT:T')).toEqual({
      ...clean,
      words: ['USDT:TRX\tTether USD on TRX'],
    });
    expect((await fish('swapctl coins --color=al')).words).toEqual(['--color=always']);
    expect((await fish('swapctl config set rate-type ')).words).toEqual(['fixed', 'float']);
  });

  it.runIf(hasTool('fish'))('neither runs commands in a coin name nor prints hidden characters', async () => {
    const { words, pwned } = await fish('swapctl networks ');
    expect(words).toContain('EV$(touch pwned)\tEV$(touch pwned)');
    expect([pwned, words.join('').search(/[\u001b\u202e]/)]).toEqual([false, -1]);
  });
});
