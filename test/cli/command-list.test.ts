import { Command, Help } from 'commander';
import { expect, it } from 'vitest';
import { COMMANDS, namedWords } from '../../src/cli/command-list.ts';

it.each(COMMANDS)(
  'the list of commands shows $name with the arguments that it declares',
  async ({ name, usage, load }) => {
    const command = new Command(name);
    (await load())(command, () => {
      throw new Error('no command is run');
    });
    // That a command takes options need not be said of each.
    const term = new Help().subcommandTerm(command).replace(' [options]', '');
    expect(term).toBe(`${name} ${usage ?? ''}`.trimEnd());
  },
);

it.each([
  [['quote', 'BTC', 'ETH', '1'], 'quote'],
  [['--json', 'quote'], 'quote'],
  [['-p', 'coins', 'quote'], 'quote'],
  [['-qp', 'coins', 'quote'], 'quote'],
  [['--profile=coins', 'quote'], 'quote'],
  [['--timeout', '30s', '--color', 'never', 'status', 'quote'], 'status'],
  [['--help'], undefined],
  [[], undefined],
])('the command name in an argument list is found in %j', (argv, name) => {
  expect(namedWords(argv)[0]).toBe(name);
});
