import type { Command } from 'commander';
import type { Context } from './context.ts';
import type { CommandShape } from './operations/operations.ts';
import type { OperationTable } from './operations/results.ts';

/** Declares the arguments, options and action of a command, which has its name and summary by then. */
export type Declare = (command: Command, context: () => Context) => void;

/** How the declaration of each command is loaded. A run loads the one that it is about, and the help loads none. */
const DECLARATIONS = {
  quote: async () => (await import('./commands/quote/quote.ts')).quoteCommand,
  create: async () => (await import('./commands/create/create.ts')).createCommand,
  status: async () => (await import('./commands/status/status.ts')).statusCommand,
  refund: async () => (await import('./commands/refund/refund.ts')).refundCommand,
  history: async () => (await import('./commands/history/history.ts')).historyCommand,
  batch: async () => (await import('./commands/batch/batch.ts')).batchCommand,
  coins: async () => (await import('./commands/coins/coins.ts')).coinsCommand,
  networks: async () => (await import('./commands/coins/coins.ts')).networksCommand,
  address: async () => (await import('./commands/address/address.ts')).addressCommand,
  report: async () => (await import('./commands/report/report.ts')).reportCommand,
  reconcile: async () => (await import('./commands/report/reconcile.ts')).reconcileCommand,
  listen: async () => (await import('./commands/listen/listen.ts')).listenCommand,
  events: async () => (await import('./commands/listen/events.ts')).eventsCommand,
  policy: async () => {
    const { policyCommand } = await import('./commands/policy/policy.ts');
    const { policyCheckCommand } = await import('./commands/create/create.ts');
    return (command, context) => policyCommand(command, context, policyCheckCommand);
  },
  auth: async () => (await import('./commands/auth/auth.ts')).authCommand,
  config: async () => (await import('./commands/auth/config.ts')).configCommand,
  api: async () => (await import('./commands/api/api.ts')).apiCommand,
  mcp: async () => {
    const { mcpCommand } = await import('./commands/mcp/mcp.ts');
    return (command, context) => mcpCommand(command, context, loadOperations);
  },
  completion: async () => (await import('./commands/program/completion.ts')).completionCommand,
  sandbox: async () => (await import('./commands/sandbox/sandbox.ts')).sandboxCommand,
  conformance: async () => (await import('./commands/conformance/conformance.ts')).conformanceCommand,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand,
  help: async () => {
    const { helpCommand } = await import('./commands/program/help.ts');
    return (command, context) => helpCommand(command, context, loadOperations);
  },
} satisfies Readonly<Record<string, () => Promise<Declare>>>;

/** One command as the help lists it: its name, its arguments, and what it does. */
type Row = readonly [name: keyof typeof DECLARATIONS, usage: string, summary: string];

/** The commands under the headings of the help, in its order. */
const GROUPS = {
  'Every day': [
    ['quote', '<from> <to> <amount>', 'show the price of a pair'],
    ['create', '[from] [to] [amount]', 'create a swap, asking for missing details'],
    ['status', '[order...]', 'show or watch swaps'],
    ['refund', '<order> [address]', 'set or replace the refund address of a swap'],
    ['history', '[search]', 'list swaps in the local ledger'],
    ['batch', '[file]', 'create many swaps from CSV or JSON lines'],
    ['coins', '[search]', 'list coins and their networks'],
    ['networks', '<coin>', 'list the networks of one coin'],
    ['address', '<network> [address]', 'check an address offline'],
  ],
  'The business': [
    ['report', '', 'total volume, payouts, times and your share'],
    ['reconcile', '<statement.csv>', "compare the ledger with the service's statement"],
    ['listen', '[order...]', 'watch open swaps; record and deliver their events'],
    ['events', '', 'list status changes and their delivery'],
    ['policy', '', 'limit, approve, audit or stop new swaps'],
  ],
  'Set up and develop': [
    ['auth', '', 'manage key pairs'],
    ['config', '', 'manage default values for flags'],
    ['api', '<endpoint>', 'send one signed API request'],
    ['mcp', '', 'run an MCP server for agents'],
    ['completion', '<shell>', 'print a completion script for bash, zsh or fish'],
    ['sandbox', '', 'run and control the built-in service'],
    ['conformance', '', 'check a service against the API document'],
    ['doctor', '', 'check settings, key pair, network and clock'],
    ['help', '[words...]', 'show help for a command or topic'],
  ],
} satisfies Readonly<Record<string, readonly Row[]>>;

/** Every command in the order of the help. */
export const COMMANDS = Object.entries(GROUPS).flatMap(([group, rows]) =>
  rows.map(([name, usage, summary]) => ({ name, group, usage, summary, load: DECLARATIONS[name] })),
);

/** Commands that describe others, which are loaded with them. */
export const DESCRIBES: Readonly<Record<string, readonly string[]>> = {
  mcp: ['coins', 'quote', 'address', 'status', 'policy', 'history', 'create', 'refund', 'sandbox'],
};

/** What the commands of each folder print and may change. */
const SHAPES: readonly (() => Promise<CommandShape>)[] = [
  async () => (await import('./commands/quote/shape.ts')).QUOTE_SHAPE,
  async () => (await import('./commands/create/shape.ts')).CREATE_SHAPE,
  async () => (await import('./commands/status/shape.ts')).STATUS_SHAPE,
  async () => (await import('./commands/refund/shape.ts')).REFUND_SHAPE,
  async () => (await import('./commands/history/shape.ts')).HISTORY_SHAPE,
  async () => (await import('./commands/batch/shape.ts')).BATCH_SHAPE,
  async () => (await import('./commands/coins/shape.ts')).COINS_SHAPE,
  async () => (await import('./commands/address/shape.ts')).ADDRESS_SHAPE,
  async () => (await import('./commands/report/shape.ts')).REPORT_SHAPE,
  async () => (await import('./commands/listen/shape.ts')).LISTEN_SHAPE,
  async () => (await import('./commands/policy/shape.ts')).POLICY_SHAPE,
  async () => (await import('./commands/auth/shape.ts')).AUTH_SHAPE,
  async () => (await import('./commands/api/shape.ts')).API_SHAPE,
  async () => (await import('./commands/mcp/shape.ts')).MCP_SHAPE,
  async () => (await import('./commands/program/shape.ts')).PROGRAM_SHAPE,
  async () => (await import('./commands/sandbox/shape.ts')).SANDBOX_SHAPE,
  async () => (await import('./commands/conformance/shape.ts')).CONFORMANCE_SHAPE,
  async () => (await import('./commands/doctor/shape.ts')).DOCTOR_SHAPE,
];

/** What all commands print and may change. Only `help --json`, `--fields` and the tools for agents load it. */
export async function loadOperations(): Promise<OperationTable> {
  const { OperationTable } = await import('./operations/results.ts');
  return new OperationTable(await Promise.all(SHAPES.map((load) => load())));
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
