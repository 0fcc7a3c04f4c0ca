import { attempt, SwapctlError, UsageError } from '../../../../base/errors.ts';
import type { SwapResult } from '../../../../core/ledger/swap-result.ts';
import type { CoinOnNetwork } from '../../../../core/swap/swap.ts';
import { lookUpSwap } from '../../../../core/swaps/lookup.ts';
import type { Operator } from '../../../../sandbox/operator/operator.ts';
import type { ScenarioName } from '../../../../sandbox/orders/scenario-ends.ts';
import { startSandbox } from '../../../../sandbox/server.ts';
import { DEFAULT_PARTNER, type Partner } from '../../../../sandbox/state/partners.ts';
import { announce, type Context } from '../../../context.ts';
import type { Profile } from '../../../settings/profile.ts';
import { swapView } from '../../../views/swap.ts';
import type { SandboxDatabase } from '../verb.ts';
import { BUILT_IN, contextAt, makeSwap, passingLedger } from './connection.ts';

export interface TriggerOptions {
  readonly scenario: ScenarioName;
  /** The order to drive; null for a new one. */
  readonly order: string | null;
  readonly from: CoinOnNetwork;
  readonly to: CoinOnNetwork;
  readonly database: SandboxDatabase;
}

/** Drives an existing or new order to an outcome, and shows the swap. */
export async function triggerScenario(context: Context, options: TriggerOptions): Promise<void> {
  const operator = await context.operator(options.database);
  const partner = await partnerOf(operator, options.order);
  const profile = await profileOf(context, operator, options, partner);
  const sandbox = await startSandbox({
    database: options.database ?? context.settings.paths.sandboxFile,
    allowEmptyFile: options.database !== undefined,
    now: context.now,
    // An operator's actions do not count toward the partner's rate limit.
    countsRequests: false,
    scenario: options.scenario === 'lost-answer' ? 'lost-answer' : undefined,
  });
  const kept = profile === null ? await passingLedger() : null;
  try {
    if (kept !== null)
      context.streams.note(
        'No stored profile belongs to that sandbox, so nothing is recorded in the ledger.',
      );
    const changes = kept === null ? {} : { ledger: kept.ledger };
    const { url: baseUrl, catalogue } = sandbox;
    const { publicKey, secret } = partner;
    const lab = { baseUrl, catalogue, credentials: { publicKey, secret }, profile: profile ?? BUILT_IN };
    const own = contextAt(context, lab, changes);
    const swap = await driven(own, operator, options);
    // Its times are those of the sandbox, whose clock may be ahead.
    await context.streams.print(swapView(swap, (await operator.clock.read()).now));
  } finally {
    await kept?.close();
    await sandbox.close();
  }
}

/** Drives the order, and polls it after each step, so that the ledger has every status as an event. */
async function driven(own: Context, operator: Operator, options: TriggerOptions): Promise<SwapResult> {
  const { scenario } = options;
  const order = options.order ?? (await newSwap(own, operator, options)).order ?? '';
  const service = await own.service();
  const printed = new Set<string>();
  let swap: SwapResult | null = null;
  const { advanced } = await operator.orders.drive(order, scenario, async () => {
    ({ swap } = await lookUpSwap(own, service, order, { alreadyPrinted: printed }));
  });
  if (advanced > 0)
    own.streams.note(
      `Advanced the clock of the sandbox by ${Math.ceil(advanced / 1000)} s. To set it back, run \`swapctl sandbox clock reset\`.`,
    );
  return swap ?? (await lookUpSwap(own, service, order, { alreadyPrinted: printed })).swap;
}

async function newSwap(own: Context, operator: Operator, { from, to }: TriggerOptions): Promise<SwapResult> {
  const named = ({ coin, network }: CoinOnNetwork) => ({ coin, network: network ?? undefined });
  const sample = await operator.orders.sample(named(from), named(to));
  const open = { lastSource: 'deposit', type: 'float', memoWaived: false, refundAddress: null } as const;
  // Without a sample, the checks report what is wrong with the pair.
  const swap = sample ?? { from, to, amount: '1', address: '', memo: null };
  const service = await own.service();
  const asked = { ...open, minReceive: null, tolerance: null, ...swap };
  return makeSwap(own, asked, () => announce(own, service));
}

/** The partner who owns the order; a new one belongs to the default partner. */
async function partnerOf(operator: Operator, order: string | null): Promise<Partner> {
  const partners = await operator.partners.list();
  const owner = order === null ? DEFAULT_PARTNER : (await operator.orders.find(order)).partner;
  const found = partners.find(({ name }) => name === owner);
  if (found !== undefined) return found;
  throw new UsageError(
    `The partner of order ${order} was removed, so no one can see its outcome.`,
    'Leave --order out to drive a new order.',
  );
}

/**
 * The profile under which the swap is recorded: the current one if it has the partner's key pair, otherwise the
 * built-in service's if the order is in its database. Null for no profile. Throws UsageError for a named profile of
 * another service.
 */
async function profileOf(
  context: Context,
  operator: Operator,
  { database }: TriggerOptions,
  partner: Partner,
): Promise<Profile | null> {
  // One that cannot be read and was not named is not needed: its keys are not used.
  const read = await attempt(() => context.profile());
  if (read instanceof SwapctlError && context.flags.profile !== undefined) throw read;
  const active = read instanceof SwapctlError ? null : read;
  if (active?.kind === 'remote' && active.environment === 'sandbox' && active.publicKey === partner.publicKey)
    return active;
  if (context.flags.profile !== undefined && active?.kind === 'remote')
    throw new UsageError(
      `Profile ${active.name} does not belong to partner ${partner.name} of the sandbox at ${operator.location}.`,
      'Pass its database with --database, or leave --profile out.',
    );
  return database === undefined && partner.name === DEFAULT_PARTNER ? BUILT_IN : null;
}
