import type { Command } from 'commander';
import type { Context } from './context.ts';

/** Declares the arguments, options and action of a command, which has its name and summary by then. */
export type Declare = (command: Command, context: () => Context) => void;

/** Headings of the help, in its order. */
export type CommandGroup =
  | 'Prices and coins'
  | 'Swaps'
  | 'Books'
  | 'Events'
  | 'Keys and settings'
  | 'For scripts'
  | 'Sandbox'
  | 'Help';

/** One row of the command table: name, usage, summary, and how to load its declaration. */
export interface ListedCommand {
  readonly name: string;
  /** Heading that it stands under in the help. */
  readonly group: CommandGroup;
  /** The arguments, as the list shows them behind the name. */
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<Declare>;
}

/** Every command in the order of the help. A run loads the one that it is about, and the help loads none. */
export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'quote',
    group: 'Prices and coins',
    usage: '<from> <to> <amount>',
    summary: 'price a pair',
    load: async () => (await import('./commands/quote/quote.ts')).quoteCommand,
  },
  {
    name: 'coins',
    group: 'Prices and coins',
    usage: '[search]',
    summary: 'list the coins, with their networks on each side',
    load: async () => (await import('./commands/coins.ts')).coinsCommand,
  },
  {
    name: 'networks',
    group: 'Prices and coins',
    usage: '<coin>',
    summary: 'where one coin can be deposited and received',
    load: async () => (await import('./commands/networks.ts')).networksCommand,
  },
  {
    name: 'address',
    group: 'Prices and coins',
    usage: '<network> [address]',
    summary: 'check an address offline',
    load: async () => (await import('./commands/address.ts')).addressCommand,
  },
  {
    name: 'create',
    group: 'Swaps',
    usage: '[from] [to] [amount]',
    summary: 'create a swap; asks for what is missing',
    load: async () => (await import('./commands/create/create.ts')).createCommand,
  },
  {
    name: 'status',
    group: 'Swaps',
    usage: '[order...]',
    summary: 'show swaps, or follow them to their end',
    load: async () => (await import('./commands/status/status.ts')).statusCommand,
  },
  {
    name: 'refund',
    group: 'Swaps',
    usage: '<order> [address]',
    summary: 'set or replace the refund address of a swap',
    load: async () => (await import('./commands/refund.ts')).refundCommand,
  },
  {
    name: 'batch',
    group: 'Swaps',
    usage: '<file>',
    summary: 'create many swaps from CSV or JSON lines',
    load: async () => (await import('./commands/batch/batch.ts')).batchCommand,
  },
  {
    name: 'history',
    group: 'Books',
    usage: '',
    summary: 'swaps in the local ledger',
    load: async () => (await import('./commands/history/history.ts')).historyCommand,
  },
  {
    name: 'report',
    group: 'Books',
    usage: '',
    summary: 'sums of the ledger: volume, payouts, times, your share',
    load: async () => (await import('./commands/report/report.ts')).reportCommand,
  },
  {
    name: 'reconcile',
    group: 'Books',
    usage: '<statement.csv>',
    summary: "the ledger against the service's statement",
    load: async () => (await import('./commands/reconcile/reconcile.ts')).reconcileCommand,
  },
  {
    name: 'listen',
    group: 'Events',
    usage: '[order...]',
    summary: 'follow open swaps, record their events, deliver them',
    load: async () => (await import('./commands/listen/listen.ts')).listenCommand,
  },
  {
    name: 'events',
    group: 'Events',
    usage: '',
    summary: 'what was seen to change, and whether it was delivered',
    load: async () => (await import('./commands/events/events.ts')).eventsCommand,
  },
  {
    name: 'auth',
    group: 'Keys and settings',
    usage: '',
    summary: 'store and check key pairs',
    load: async () => (await import('./commands/auth/auth.ts')).authCommand,
  },
  {
    name: 'config',
    group: 'Keys and settings',
    usage: '',
    summary: 'stored settings, for flags that are not given',
    load: async () => (await import('./commands/config/config.ts')).configCommand,
  },
  {
    name: 'api',
    group: 'For scripts',
    usage: '<endpoint>',
    summary: 'send one signed request, and print the answer as it came',
    load: async () => (await import('./commands/api/api.ts')).apiCommand,
  },
  {
    name: 'completion',
    group: 'For scripts',
    usage: '<shell>',
    summary: 'have bash, zsh or fish complete lines of swapctl',
    load: async () => (await import('./commands/program/completion.ts')).completionCommand,
  },
  {
    name: 'commands',
    group: 'For scripts',
    usage: '',
    summary: 'list every command; with --json all of the command line as data',
    load: async () => (await import('./commands/program/commands.ts')).commandsCommand,
  },
  {
    name: 'sandbox',
    group: 'Sandbox',
    usage: '',
    summary: 'the built-in service',
    load: async () => (await import('./commands/sandbox/sandbox.ts')).sandboxCommand,
  },
  {
    name: 'conformance',
    group: 'Sandbox',
    usage: '',
    summary: 'check a service against the API document',
    load: async () => (await import('./commands/conformance.ts')).conformanceCommand,
  },
  {
    name: 'doctor',
    group: 'Help',
    usage: '',
    summary: 'find out what is wrong: settings, key pair, network, clock',
    load: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand,
  },
  {
    name: 'version',
    group: 'Help',
    usage: '',
    summary: 'print the version',
    load: async () => (await import('./commands/program/version.ts')).versionCommand,
  },
  {
    name: 'help',
    group: 'Help',
    usage: '[words...]',
    summary: 'show help for a command, or on a topic',
    load: async () => (await import('./commands/program/help.ts')).helpCommand,
  },
];

/** Global flags that take a value. */
const WITH_VALUE: ReadonlySet<string> = new Set(['-p', '--profile', '--color', '--timeout']);

/** The command that a command line names: its first word that is neither a flag nor a flag's value. */
export function namedCommand(argv: readonly string[]): string | undefined {
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (WITH_VALUE.has(word)) index += 1;
    else if (!word.startsWith('-')) return word;
  }
  return undefined;
}
