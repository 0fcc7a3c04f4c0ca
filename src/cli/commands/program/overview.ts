import { existsSync } from 'node:fs';
import type { Action } from '../../../base/errors.ts';
import { programVersion } from '../../../base/files.ts';
import { joined, shown, visible } from '../../../base/text.ts';
import { listedStatuses } from '../../../core/partner-api/statuses.ts';
import { environmentWord } from '../../../core/swap/swap.ts';
import type { Context } from '../../context.ts';
import { flatRows, renderDetails } from '../../terminal/details.ts';
import type { View } from '../../terminal/streams.ts';
import { padded, spaces } from '../../terminal/width.ts';

/** Prints a summary: the profile, and what the ledger last saw. Sends no request and creates no file. */
export async function showOverview(context: Context): Promise<void> {
  await context.streams.print(overviewView(await overviewOf(context)));
}

/** The profile, counts of its swaps, and what to run next. */
async function overviewOf(context: Context) {
  const profile = await context.profile();
  const { open, needAttention, unknown } = await swapCounts(context);
  return {
    version: programVersion(),
    profile: profile.name,
    environment: profile.environment,
    /** Null for the built-in service. */
    baseUrl: profile.kind === 'built-in' ? null : profile.baseUrl,
    open,
    needAttention,
    unknown,
    next: nextCommands(open, needAttention + unknown, profile.kind === 'built-in'),
  };
}

/** Counts of the profile that flags or environment name, else of all profiles. */
async function swapCounts(context: Context) {
  const { ledgerLocation, paths } = context.settings;
  if (ledgerLocation === paths.ledgerFile && !existsSync(ledgerLocation))
    return { open: 0, needAttention: 0, unknown: 0 };
  const owner = context.onlyProfile === null ? null : await context.owner();
  const waiting = listedStatuses().flatMap(({ needsPerson, code }) => (needsPerson ? code : []));
  return (await context.ledger()).swapCounts(owner, waiting, context.now());
}

/** The three commands that help most now, the most urgent first. */
function nextCommands(open: number, attention: number, isBuiltIn: boolean): readonly Action[] {
  const all = [
    { isUseful: attention > 0, command: ['status', '--attention'], why: 'see what needs attention' },
    { isUseful: open > 0, command: ['status', '--watch'], why: 'watch the open swaps' },
    { isUseful: true, command: ['quote', 'BTC', 'ETH', '0.1'], why: 'see a price' },
    { isUseful: true, command: ['create'], why: 'create a swap, step by step' },
    { isUseful: isBuiltIn, command: ['auth', 'login'], why: 'connect your service' },
    { isUseful: true, command: ['history'], why: 'list your swaps' },
  ];
  const useful = all.filter(({ isUseful }) => isUseful).slice(0, 3);
  return useful.map(({ command, why }) => ({ command: ['swapctl', ...command], why }));
}

function overviewView(result: Awaited<ReturnType<typeof overviewOf>>): View {
  const { version, profile, environment, baseUrl, open, needAttention, unknown, next } = result;
  const place = baseUrl === null ? 'the built-in service' : `${environmentWord(environment)}, ${baseUrl}`;
  return {
    json: () => result,
    rows: () => [
      ...flatRows({ version, profile, environment, baseUrl, open, needAttention, unknown }),
      ...next.map(({ command }) => ['next', command.join(' ')]),
    ],
    screen: (style, width) => {
      const urgent = needAttention + unknown;
      const alert = urgent > 0 ? style.yellow : undefined;
      const facts = renderDetails(
        [
          ['Profile', `${profile} (${place})`, style.bold, 'prose'],
          ['Open swaps', String(open)],
          ['Need attention', `${urgent}${unknown > 0 ? ` (${unknown} of unknown outcome)` : ''}`, alert],
        ],
        style,
        width,
      );
      const lines = next.map(({ command, why }) => [command.join(' '), why] as const);
      const longest = Math.max(...lines.map(([command]) => command.length));
      const tried = lines.map(
        ([command, why]) =>
          shown`  ${style.cyan(padded(visible(command), longest))}${spaces(2)}${visible(why)}\n`,
      );
      return shown`swapctl ${visible(version)}: instant cryptocurrency swaps from the command line\n\n${facts}\n${joined(tried)}\nRun \`swapctl --help\` for all commands.\n`;
    },
  };
}
