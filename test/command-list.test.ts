import { Command, Help } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS, namedCommand } from '../src/command-list.ts';

describe('the list of commands', () => {
  it.each(COMMANDS)('says of $name what its declaration says', async ({ name, usage, summary, load }) => {
    const program = new Command('swapctl');
    (await load())(program, () => {
      throw new Error('no command is run');
    });
    const [declared] = program.commands;
    expect(program.commands.map((command) => command.name())).toEqual([name]);
    expect(declared?.summary()).toBe(summary);
    const term = declared === undefined ? '' : new Help().subcommandTerm(declared);
    // That a command takes options need not be said of each.
    expect(term.replace(' [options]', '')).toBe(`${name} ${usage}`.trimEnd());
  });
});

describe('the command that a line names', () => {
  it.each([
    [['quote', 'BTC', 'ETH', '1'], 'quote'],
    [['--json', 'quote'], 'quote'],
    [['-p', 'coins', 'quote'], 'quote'],
    [['--profile=coins', 'quote'], 'quote'],
    [['--timeout', '30s', '--color', 'never', 'status', 'quote'], 'status'],
    [['--help'], undefined],
    [[], undefined],
  ])('%j', (argv, name) => {
    expect(namedCommand(argv)).toBe(name);
  });
});
