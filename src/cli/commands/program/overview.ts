import { existsSync } from 'node:fs';
import { programVersion } from '../../../base/files.ts';
import { listedStatuses } from '../../../core/partner-api/statuses.ts';
import type { Context } from '../../context.ts';
import { onlyProfile } from '../shared/profile-orders.ts';
import { type OverviewResult, overviewView } from './overview-view.ts';

/** Prints a summary: the profile, and what the ledger last saw. Sends no request and creates no file. */
export async function showOverview(context: Context): Promise<void> {
  const profile = await context.profile();
  const { open, needAttention, unknown } = await standing(context);
  const next = nextCommands({
    open,
    attention: needAttention + unknown,
    isBuiltIn: profile.kind === 'built-in',
  });
  await context.streams.print(
    overviewView({
      version: programVersion(),
      profile: profile.name,
      environment: profile.environment,
      baseUrl: profile.kind === 'built-in' ? null : profile.baseUrl,
      open,
      needAttention,
      unknown,
      next,
    }),
  );
}

/** Counts of the profile that flags or environment name, else of all profiles. */
async function standing(context: Context) {
  const { ledgerLocation, paths } = context.settings;
  if (ledgerLocation === paths.ledgerFile && !existsSync(ledgerLocation))
    return { open: 0, needAttention: 0, unknown: 0 };
  const owner = onlyProfile(context) === null ? null : await context.owner();
  const waiting = listedStatuses().filter(({ needsPerson }) => needsPerson);
  const ledger = await context.ledger();
  return ledger.standing(
    owner,
    waiting.map(({ code }) => code),
    context.now(),
  );
}

interface Facts {
  readonly open: number;
  readonly attention: number;
  readonly isBuiltIn: boolean;
}

/** The three commands that help most now, the most urgent first. */
function nextCommands({ open, attention, isBuiltIn }: Facts): OverviewResult['next'] {
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
