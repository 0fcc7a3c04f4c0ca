import type { Command } from 'commander';
import type { Context } from './context.ts';
import type { CommandShape } from './operations/operations.ts';
import type { OperationTable } from './operations/results.ts';

/** Declares the arguments, options and action of a command, which has its name and summary by then. */
export type Declare = (command: Command, context: () => Context) => void;

/** Headings of the help, in its order. */
export type CommandGroup = 'Every day' | 'The business' | 'Set up and develop';

/** One row of the command table: name, usage, summary, and how to load its declaration. */
export interface ListedCommand {
  readonly name: string;
  readonly group: CommandGroup;
  /** The arguments, as the list shows them after the name. */
  readonly usage?: string;
  readonly summary: string;
  readonly load: () => Promise<Declare>;
  /** What it and its subcommands print and may change. */
  readonly shape: () => Promise<CommandShape>;
  /** Other commands that it describes, which are loaded with it. */
  readonly describes?: readonly string[];
}

/** Every command in the order of the help. A run loads the one that it is about, and the help loads none. */
export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'quote',
    group: 'Every day',
    usage: '<from> <to> <amount>',
    summary: 'show the price of a pair',
    load: async () => (await import('./commands/quote/quote.ts')).quoteCommand,
    shape: async () => (await import('./commands/quote/shape.ts')).QUOTE_SHAPE,
  },
  {
    name: 'create',
    group: 'Every day',
    usage: '[from] [to] [amount]',
    summary: 'create a swap, asking for missing details',
    load: async () => (await import('./commands/create/create.ts')).createCommand,
    shape: async () => (await import('./commands/create/shape.ts')).CREATE_SHAPE,
  },
  {
    name: 'status',
    group: 'Every day',
    usage: '[order...]',
    summary: 'show or watch swaps',
    load: async () => (await import('./commands/status/status.ts')).statusCommand,
    shape: async () => (await import('./commands/status/shape.ts')).STATUS_SHAPE,
  },
  {
    name: 'refund',
    group: 'Every day',
    usage: '<order> [address]',
    summary: 'set or replace the refund address of a swap',
    load: async () => (await import('./commands/refund/refund.ts')).refundCommand,
    shape: async () => (await import('./commands/refund/shape.ts')).REFUND_SHAPE,
  },
  {
    name: 'history',
    group: 'Every day',
    usage: '[search]',
    summary: 'list swaps in the local ledger',
    load: async () => (await import('./commands/history/history.ts')).historyCommand,
    shape: async () => (await import('./commands/history/shape.ts')).HISTORY_SHAPE,
  },
  {
    name: 'batch',
    group: 'Every day',
    usage: '[file]',
    summary: 'create many swaps from CSV or JSON lines',
    load: async () => (await import('./commands/batch/batch.ts')).batchCommand,
    shape: async () => (await import('./commands/batch/shape.ts')).BATCH_SHAPE,
  },
  {
    name: 'coins',
    group: 'Every day',
    usage: '[search]',
    summary: 'list coins and their networks',
    load: async () => (await import('./commands/coins/coins.ts')).coinsCommand,
    shape: async () => (await import('./commands/coins/shape.ts')).COINS_SHAPE,
  },
  {
    name: 'networks',
    group: 'Every day',
    usage: '<coin>',
    summary: 'list the networks of one coin',
    load: async () => (await import('./commands/coins/networks.ts')).networksCommand,
    shape: async () => (await import('./commands/coins/shape.ts')).COINS_SHAPE,
  },
  {
    name: 'address',
    group: 'Every day',
    usage: '<network> [address]',
    summary: 'check an address offline',
    load: async () => (await import('./commands/address/address.ts')).addressCommand,
    shape: async () => (await import('./commands/address/shape.ts')).ADDRESS_SHAPE,
  },
  {
    name: 'report',
    group: 'The business',
    summary: 'total volume, payouts, times and your share',
    load: async () => (await import('./commands/report/report.ts')).reportCommand,
    shape: async () => (await import('./commands/report/shape.ts')).REPORT_SHAPE,
  },
  {
    name: 'reconcile',
    group: 'The business',
    usage: '<statement.csv>',
    summary: "compare the ledger with the service's statement",
    load: async () => (await import('./commands/report/reconcile.ts')).reconcileCommand,
    shape: async () => (await import('./commands/report/shape.ts')).REPORT_SHAPE,
  },
  {
    name: 'listen',
    group: 'The business',
    usage: '[order...]',
    summary: 'watch open swaps; record and deliver their events',
    load: async () => (await import('./commands/listen/listen.ts')).listenCommand,
    shape: async () => (await import('./commands/listen/shape.ts')).LISTEN_SHAPE,
  },
  {
    name: 'events',
    group: 'The business',
    summary: 'list status changes and their delivery',
    load: async () => (await import('./commands/listen/events.ts')).eventsCommand,
    shape: async () => (await import('./commands/listen/shape.ts')).LISTEN_SHAPE,
  },
  {
    name: 'policy',
    group: 'The business',
    summary: 'limit, approve, audit or stop new swaps',
    load: async () => {
      const { policyCommand } = await import('./commands/policy/policy.ts');
      const { policyCheckCommand } = await import('./commands/create/create.ts');
      return (command, context) => policyCommand(command, context, policyCheckCommand);
    },
    shape: async () => (await import('./commands/policy/shape.ts')).POLICY_SHAPE,
  },
  {
    name: 'auth',
    group: 'Set up and develop',
    summary: 'manage key pairs',
    load: async () => (await import('./commands/auth/auth.ts')).authCommand,
    shape: async () => (await import('./commands/auth/shape.ts')).AUTH_SHAPE,
  },
  {
    name: 'config',
    group: 'Set up and develop',
    summary: 'manage default values for flags',
    load: async () => (await import('./commands/auth/config.ts')).configCommand,
    shape: async () => (await import('./commands/auth/shape.ts')).AUTH_SHAPE,
  },
  {
    name: 'api',
    group: 'Set up and develop',
    usage: '<endpoint>',
    summary: 'send one signed API request',
    load: async () => (await import('./commands/api/api.ts')).apiCommand,
    shape: async () => (await import('./commands/api/shape.ts')).API_SHAPE,
  },
  {
    name: 'mcp',
    group: 'Set up and develop',
    summary: 'run an MCP server for agents',
    load: async () => {
      const { mcpCommand } = await import('./commands/mcp/mcp.ts');
      return (command, context) => mcpCommand(command, context, loadOperations);
    },
    shape: async () => (await import('./commands/mcp/shape.ts')).MCP_SHAPE,
    describes: ['coins', 'quote', 'address', 'status', 'policy', 'history', 'create', 'refund', 'sandbox'],
  },
  {
    name: 'completion',
    group: 'Set up and develop',
    usage: '<shell>',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./commands/program/completion.ts')).completionCommand,
    shape: async () => (await import('./commands/program/shape.ts')).PROGRAM_SHAPE,
  },
  {
    name: 'sandbox',
    group: 'Set up and develop',
    summary: 'run and control the built-in service',
    load: async () => (await import('./commands/sandbox/sandbox.ts')).sandboxCommand,
    shape: async () => (await import('./commands/sandbox/shape.ts')).SANDBOX_SHAPE,
  },
  {
    name: 'conformance',
    group: 'Set up and develop',
    summary: 'check a service against the API document',
    load: async () => (await import('./commands/conformance/conformance.ts')).conformanceCommand,
    shape: async () => (await import('./commands/conformance/shape.ts')).CONFORMANCE_SHAPE,
  },
  {
    name: 'doctor',
    group: 'Set up and develop',
    summary: 'check settings, key pair, network and clock',
    load: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand,
    shape: async () => (await import('./commands/doctor/shape.ts')).DOCTOR_SHAPE,
  },
  {
    name: 'help',
    group: 'Set up and develop',
    usage: '[words...]',
    summary: 'show help for a command or topic',
    load: async () => {
      const { helpCommand } = await import('./commands/program/help.ts');
      return (command, context) => helpCommand(command, context, loadOperations);
    },
    shape: async () => (await import('./commands/program/shape.ts')).PROGRAM_SHAPE,
  },
];

/** What all commands print and may change. Only `help --json`, `--fields` and the tools for agents load it. */
export async function loadOperations(): Promise<OperationTable> {
  const { OperationTable } = await import('./operations/results.ts');
  return new OperationTable(await Promise.all(COMMANDS.map(({ shape }) => shape())));
}

/** Global flags that take the next word as their value, such as `-p` and `-qp`. */
const WITH_VALUE = /^(-[a-zA-Z]*p|--(profile|color|timeout|fields))$/;

/** The words of a command line that are neither flags nor values of global flags: first the command that it names. */
export function namedWords(argv: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (WITH_VALUE.test(word)) index += 1;
    else if (!word.startsWith('-')) words.push(word);
  }
  return words;
}
