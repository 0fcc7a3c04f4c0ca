import { SwapctlError, UsageError } from '../../../base/errors.ts';
import { parseDuration } from '../../../base/time.ts';
import { namedOrder } from '../../../core/swaps/named-swap.ts';
import { checkedRefund, setRefundAddress, swapToRefund } from '../../../core/swaps/refund.ts';
import { refundsOnLedger } from '../../../core/swaps/refund-records.ts';
import { clockJson, orderJson } from '../../../sandbox/operator/json.ts';
import { announce, type Context } from '../../context.ts';
import { mapOf, RATE_TYPE, TEXT } from '../../operations/schema.ts';
import { approvalArgument } from '../shared/arguments.ts';
import { approvalResult, createTool } from './create-swap.ts';
import { RATE_FLAGS, SHOWING } from './reading-tools.ts';
import type { CommandTool, Tool, ToolCall, ToolEffects } from './tool.ts';

/** Throws `policy_refused` on a live profile without a policy: nothing else limits an agent there. */
async function refuseUnbounded(context: Context): Promise<void> {
  const owner = await context.owner();
  if (owner.environment !== 'live') return;
  const { policy } = await (await context.ledger()).guards.read(owner);
  if (!('value' in policy) || policy.value !== null) return;
  throw new SwapctlError(
    'policy_refused',
    `Profile ${owner.profile} is live and has no policy, so agents can change nothing there.`,
    { hint: `Nothing was sent. Have a person store one: swapctl policy set <file> -p ${owner.profile}` },
  );
}

function bounded(run: Tool['run']): Tool['run'] {
  return async (call) => {
    await refuseUnbounded(call.context);
    return run(call);
  };
}

async function refundTool({ context, args }: ToolCall): Promise<object> {
  const given = args.text('approval');
  const id = given === null ? null : approvalArgument(given);
  const warn = (text: string) => context.notify({ level: 'warning', text });
  try {
    const { order: wanted } = await namedOrder(context, args.swap(), { whose: 'own', warns: true });
    const ports = refundsOnLedger(context);
    const found = await swapToRefund(ports, wanted);
    const { address, warnings } = await checkedRefund(found, args.required('address').trim());
    for (const text of warnings) await warn(text);
    announce(context, found.service);
    const approval = id === null ? null : { id };
    const { message, ledgerError } = await setRefundAddress(ports, found, { address, approval });
    if (ledgerError !== null) await warn(ledgerError.message);
    const { order, compared, service } = found;
    const { profile, environment } = service;
    return { order, refundAddress: address, message, profile, environment, doubts: compared.doubts };
  } catch (error) {
    if (id !== null) throw error;
    return approvalResult(error);
  }
}

async function sandboxDeposit({ context, args }: ToolCall): Promise<object> {
  const { order } = await namedOrder(context, args.swap(), { whose: 'own' });
  const operator = await context.operator();
  return orderJson(await operator.orders.deposit(order, args.amount('amount') ?? undefined));
}

async function sandboxAdvance({ context, args }: ToolCall): Promise<object> {
  const milliseconds = parseDuration(args.required('duration'));
  if (milliseconds === null) throw new UsageError('Invalid duration: use 30s, 10m, 2h or 1d.');
  const operator = await context.operator();
  return clockJson(await operator.clock.advance(milliseconds));
}

const CREATES: ToolEffects = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};
const ON_SANDBOX: ToolEffects = { ...CREATES, destructiveHint: false, openWorldHint: false };

/** Worded differently from the commands, where a person is at a terminal. */
const APPROVAL = { ...TEXT, description: 'id of an approval from an earlier result', maxLength: 2000 };
const PAYOUT_ADDRESS = { ...TEXT, description: 'payout address, as the recipient gave it', maxLength: 300 };

/** Flags about the confirmation, for which the host asks here. */
const CONFIRMING = ['--yes', '--dry-run'];

/** `create_swap`: served where creating is allowed. */
export const CREATE_TOOL: CommandTool = {
  name: 'create_swap',
  title: 'Create a swap',
  description:
    'Create an order once. Moves no money by itself. The same idempotencyKey again returns the same order. May first return an approval id for a second call.',
  command: 'create',
  leaves: [...RATE_FLAGS, ...SHOWING, ...CONFIRMING, '--like', '--input', '--tolerance', '--label', '--wait'],
  adds: {
    address: PAYOUT_ADDRESS,
    refundAddress: { ...PAYOUT_ADDRESS, description: 'address for a refund if the swap fails' },
    type: RATE_TYPE,
    labels: mapOf(TEXT),
    approval: APPROVAL,
  },
  requires: ['from', 'to', 'amount', 'address', 'idempotencyKey'],
  keys: ['order', 'status', 'fundable', 'doubts', 'replayed', 'deposit', 'receive'],
  mayNeedApproval: true,
  annotations: CREATES,
  run: bounded(createTool),
};

/** `set_refund_address`: served where that is allowed. */
export const REFUND_TOOL: CommandTool = {
  name: 'set_refund_address',
  title: 'Set a refund address',
  description:
    'Set where the deposit goes back if the swap fails. May first return an approval id for a second call.',
  command: 'refund',
  leaves: CONFIRMING,
  adds: {
    address: { ...PAYOUT_ADDRESS, description: 'address on the network of the deposit' },
    approval: APPROVAL,
  },
  requires: ['address'],
  keys: ['order', 'refundAddress', 'message', 'doubts'],
  mayNeedApproval: true,
  annotations: CREATES,
  run: bounded(refundTool),
};

/** Tools that only a sandbox has. */
export const SANDBOX_TOOLS: readonly CommandTool[] = [
  {
    name: 'sandbox_deposit',
    title: 'Pay a deposit on the sandbox',
    description: 'Simulate the deposit of an order. No real money.',
    command: 'sandbox deposit',
    leaves: ['--database'],
    keys: ['order', 'status'],
    annotations: { ...ON_SANDBOX, idempotentHint: false },
    run: sandboxDeposit,
  },
  {
    name: 'sandbox_advance',
    title: 'Advance the clock of the sandbox',
    description: 'Move the clock of the sandbox forward, so that orders progress.',
    command: 'sandbox clock advance',
    leaves: ['--database'],
    keys: ['now'],
    annotations: { ...ON_SANDBOX, idempotentHint: false },
    run: sandboxAdvance,
  },
];
