import { Command, Help } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS, namedWords } from '../../src/cli/command-list.ts';

describe('the list of commands', () => {
  it.each(COMMANDS)('shows $name with the arguments that it declares', async ({ name, usage, load }) => {
    const command = new Command(name);
    (await load())(command, () => {
      throw new Error('no command is run');
    });
    // That a command takes options need not be said of each.
    const term = new Help().subcommandTerm(command).replace(' [options]', '');
    expect(term).toBe(`${name} ${usage ?? ''}`.trimEnd());
  });
});

describe('the command name in an argument list', () => {
  it.each([
    [['quote', 'BTC', 'ETH', '1'], 'quote'],
    [['--json', 'quote'], 'quote'],
    [['-p', 'coins', 'quote'], 'quote'],
    [['-qp', 'coins', 'quote'], 'quote'],
    [['--profile=coins', 'quote'], 'quote'],
    [['--timeout', '30s', '--color', 'never', 'status', 'quote'], 'status'],
    [['--help'], undefined],
    [[], undefined],
  ])('is found in %j', (argv, name) => {
    expect(namedWords(argv)[0]).toBe(name);
  });
});
