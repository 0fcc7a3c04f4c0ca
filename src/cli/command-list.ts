import type { Command } from 'commander';
import { versionCommand } from './commands/program/version.ts';
import type { Context } from './context.ts';

/** Declares the arguments, options and action of a command, which has its name and summary by then. */
export type Declare = (command: Command, context: () => Context) => void;

/** Headings of the help, in its order. */
export type CommandGroup =
  | 'Prices and coins'
  | 'Swaps'
  | 'Ledger'
  | 'Events'
  | 'Limits'
  | 'Keys and settings'
  | 'For scripts'
  | 'Sandbox'
  | 'Help';

/** One row of the command table: name, usage, summary, and how to load its declaration. */
export interface ListedCommand {
  readonly name: string;
  readonly group: CommandGroup;
  /** The arguments, as the list shows them after the name. */
  readonly usage?: string;
  readonly summary: string;
  readonly load: () => Promise<Declare>;
  /** Other commands that it describes, which are loaded with it. */
  readonly describes?: readonly string[];
}

/** Every command in the order of the help. A run loads the one that it is about, and the help loads none. */
export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'quote',
    group: 'Prices and coins',
    usage: '<from> <to> <amount>',
    summary: 'show the price of a pair',
    load: async () => (await import('./commands/quote/quote.ts')).quoteCommand,
  },
  {
    name: 'coins',
    group: 'Prices and coins',
    usage: '[search]',
    summary: 'list coins and their networks',
    load: async () => (await import('./commands/coins.ts')).coinsCommand,
  },
  {
    name: 'networks',
    group: 'Prices and coins',
    usage: '<coin>',
    summary: 'list the networks of one coin',
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
    summary: 'create a swap, asking for missing details',
    load: async () => (await import('./commands/create/create.ts')).createCommand,
  },
  {
    name: 'status',
    group: 'Swaps',
    usage: '[order...]',
    summary: 'show or watch swaps',
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
    usage: '[file]',
    summary: 'create many swaps from CSV or JSON lines',
    load: async () => (await import('./commands/batch/batch.ts')).batchCommand,
  },
  {
    name: 'history',
    usage: '[search]',
    group: 'Ledger',
    summary: 'list swaps in the local ledger',
    load: async () => (await import('./commands/history/history.ts')).historyCommand,
  },
  {
    name: 'report',
    group: 'Ledger',
    summary: 'show totals: volume, payouts, times and your share',
    load: async () => (await import('./commands/report.ts')).reportCommand,
  },
  {
    name: 'health',
    group: 'Ledger',
    summary: 'show how reliable the service is: swap outcomes, times, failed requests',
    load: async () => (await import('./commands/health.ts')).healthCommand,
  },
  {
    name: 'reconcile',
    group: 'Ledger',
    usage: '<statement.csv>',
    summary: "compare the ledger with the service's statement",
    load: async () => (await import('./commands/reconcile.ts')).reconcileCommand,
  },
  {
    name: 'listen',
    group: 'Events',
    usage: '[order...]',
    summary: 'watch open swaps; record and deliver their events',
    load: async () => (await import('./commands/listen/listen.ts')).listenCommand,
  },
  {
    name: 'events',
    group: 'Events',
    summary: 'list status changes and their delivery',
    load: async () => (await import('./commands/events.ts')).eventsCommand,
  },
  {
    name: 'policy',
    group: 'Limits',
    usage: '',
    summary: 'limit what may be created, or stop all new swaps',
    load: async () => {
      const { policyCommand } = await import('./commands/policy/policy.ts');
      const { policyCheckCommand } = await import('./commands/create/create.ts');
      return (command, context) => policyCommand(command, context, policyCheckCommand);
    },
  },
  {
    name: 'approvals',
    group: 'Limits',
    usage: '',
    summary: 'review and grant requests that need approval',
    load: async () => (await import('./commands/approvals.ts')).approvalsCommand,
  },
  {
    name: 'audit',
    group: 'Limits',
    usage: '',
    summary: 'list, export and verify the record of every decision',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  {
    name: 'auth',
    group: 'Keys and settings',
    summary: 'manage key pairs',
    load: async () => (await import('./commands/auth/auth.ts')).authCommand,
  },
  {
    name: 'config',
    group: 'Keys and settings',
    summary: 'manage default values for flags',
    load: async () => (await import('./commands/config.ts')).configCommand,
  },
  {
    name: 'api',
    group: 'For scripts',
    usage: '<endpoint>',
    summary: 'send one signed API request',
    load: async () => (await import('./commands/api.ts')).apiCommand,
  },
  {
    name: 'mcp',
    group: 'For scripts',
    summary: 'run an MCP server for agents',
    load: async () => (await import('./commands/mcp/mcp.ts')).mcpCommand,
    describes: ['coins', 'quote', 'address', 'status', 'policy', 'history', 'create', 'refund', 'sandbox'],
  },
  {
    name: 'completion',
    group: 'For scripts',
    usage: '<shell>',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./commands/program/completion.ts')).completionCommand,
  },
  {
    name: 'commands',
    group: 'For scripts',
    usage: '[path...]',
    summary: 'list every command, or the command line as JSON',
    load: async () => (await import('./commands/program/commands.ts')).commandsCommand,
  },
  {
    name: 'sandbox',
    group: 'Sandbox',
    summary: 'run and control the built-in service',
    load: async () => (await import('./commands/sandbox/sandbox.ts')).sandboxCommand,
  },
  {
    name: 'conformance',
    group: 'Sandbox',
    summary: 'check a service against the API document',
    load: async () => (await import('./commands/conformance.ts')).conformanceCommand,
  },
  {
    name: 'doctor',
    group: 'Help',
    summary: 'check settings, key pair, network and clock',
    load: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand,
  },
  {
    name: 'version',
    group: 'Help',
    summary: 'print the version',
    load: async () => versionCommand,
  },
  {
    name: 'help',
    group: 'Help',
    usage: '[words...]',
    summary: 'show help for a command or topic',
    load: async () => (await import('./commands/program/help.ts')).helpCommand,
  },
];

/** Global flags that take a value. */
const WITH_VALUE: ReadonlySet<string> = new Set(['-p', '--profile', '--color', '--timeout', '--fields']);

/** The words of a command line that are neither flags nor values of global flags: first the command that it names. */
export function namedWords(argv: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (WITH_VALUE.has(word)) index += 1;
    else if (!word.startsWith('-')) words.push(word);
  }
  return words;
}
