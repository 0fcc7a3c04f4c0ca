import type { SwapInput } from '../../../src/core/swaps/check.ts';
import { PAYEES } from '../world/coins.ts';
import { tryRefund } from './refund.ts';
import { type Acting, type Ended, pauseOf, wantedApproval } from './stage.ts';

const [OWN, OTHER] = PAYEES.ETH;

/** A swap that is approved. Its coins have several networks with the same addresses. */
const WHOLE: SwapInput = {
  from: { coin: 'USDT', network: 'ETH' },
  to: { coin: 'USDC', network: 'ETH' },
  amount: '500',
  lastSource: 'deposit',
  type: 'float',
  address: OWN,
  memo: null,
  memoWaived: false,
  refundAddress: OWN,
  minReceive: '1',
  tolerance: null,
};
const COMPUTED: SwapInput = { ...WHOLE, amount: '450', lastSource: 'receive' };
const WITH_MEMO: SwapInput = {
  ...WHOLE,
  to: { coin: 'XRP', network: 'XRP' },
  address: PAYEES.XRP[0],
  memo: '7',
};

/** Swaps that differ in one part from one that is approved. */
const OTHERS: readonly (readonly [approved: SwapInput, part: Partial<SwapInput>])[] = [
  [WHOLE, { to: { coin: 'DAI', network: 'ETH' } }],
  [WHOLE, { from: { coin: 'USDT', network: 'BSC' } }],
  [WHOLE, { amount: '400' }],
  [WHOLE, { type: 'fixed' }],
  [WHOLE, { address: OTHER }],
  [WHOLE, { refundAddress: OTHER }],
  [WHOLE, { minReceive: '0.5' }],
  [COMPUTED, { lastSource: 'deposit' }],
  [WITH_MEMO, { memo: '8' }],
];

/** Two swaps that are created with their approvals: the service then has two orders with the same deposit. */
const FLOATING: SwapInput = { ...WHOLE, amount: '300' };
const FIXED: SwapInput = { ...FLOATING, type: 'fixed' };

/**
 * Someone has swaps approved and uses the approvals for others, each of which differs in one part, and under the next policy;
 * and the approval of a refund address for another order.
 */
export async function borrowApprovals(acting: Acting): Promise<void> {
  const untilSigned = () => acting.world.scheduler.sleep(pauseOf(acting, 0, 0));
  const approvals = new Map<SwapInput, string | null>();
  for (const asked of [WHOLE, COMPUTED, WITH_MEMO, FLOATING, FIXED])
    approvals.set(asked, wantedApproval(await create(acting, asked, null)));
  const withApproval = (approved: SwapInput, part: Partial<SwapInput> = {}, team?: string) =>
    create(acting, { ...approved, ...part }, approvals.get(approved) ?? null, team);
  await untilSigned();
  for (const [approved, part] of OTHERS) await withApproval(approved, part);
  await withApproval(WHOLE, {}, 'b');
  const [first, second] = [await withApproval(FLOATING), await withApproval(FIXED)];
  if (first.kind === 'done' && second.kind === 'done') {
    const approval = wantedApproval(await tryRefund(acting, first.value, OTHER, null));
    await untilSigned();
    await tryRefund(acting, second.value, OTHER, approval);
  }
  await untilSigned();
  await withApproval(WHOLE);
}

/** Creates a swap, perhaps with an approval, and returns its order. */
function create(
  { programs, library, run }: Acting,
  asked: SwapInput,
  approval: string | null,
  team = 'a',
): Promise<Ended<string>> {
  const job = { id: 'borrowed', asked, team, isUnlabelled: true };
  return run(async (program) => {
    const created = await (library ?? programs).create(program, job, null, approval);
    return created?.swap.order ?? '';
  });
}
