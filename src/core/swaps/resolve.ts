import { SwapctlError, UsageError } from '../../base/errors.ts';
import { echoed } from '../../base/text.ts';
import { rfc3339, wireTime } from '../../base/time.ts';
import type { Entry } from '../ledger/entry.ts';
import type { Signer } from '../ledger/policy/changes.ts';
import { isOtherCode, sameAddress } from '../swap/agreement/spelling.ts';
import type { Swap } from '../swap/swap.ts';
import { compareAnswer, warnOfDoubts } from './lookup.ts';
import type { Ports } from './ports.ts';

/**
 * Settles an unknown outcome with the order that a person found, or null to dismiss it, and returns the entry. `signer` is
 * the owner of the policy: where a key is pinned, only a signature stops a dismissed create from counting, and allows an
 * order that the create may not have made. Throws `not_found`, a usage error for a settled entry or another swap's order,
 * `policy_refused`, or the error of the service or the ledger.
 */
export async function resolveUnknown(
  ports: Ports,
  id: string,
  order: string | null,
  signer: Signer | null = null,
): Promise<Entry> {
  const ledger = await ports.ledger();
  const entry = await ledger.byId(id);
  if (entry === null)
    throw new SwapctlError('not_found', `The ledger has no entry ${echoed(id)}.`, {
      hint: 'See the ids with `swapctl history --status unknown`.',
    });
  if (entry.outcome !== 'unknown') throw settledAlready(entry);
  if (order !== null) await settleWith(ports, entry, order, signer);
  else await dismiss(ports, entry, signer);
  return (await ledger.byId(id)) ?? entry;
}

async function dismiss(ports: Ports, entry: Entry, signer: Signer | null): Promise<void> {
  const ledger = await ports.ledger();
  const dismissal = await ledger.dismiss(entry.id, ports.now(), signer);
  if (dismissal === null) throw settledAlready(entry);
  const { policy } = await ledger.guards.read(entry);
  if (dismissal.givenBack || ('value' in policy && policy.value === null)) return;
  const until =
    entry.order === null
      ? 'for as long as it would have: only a dismissal with --owner-key would have given it back earlier'
      : `until order ${entry.order} is known to have ended; \`swapctl status ${entry.order}\` looks it up`;
  await ports.notify({ level: 'warning', text: `The policy still counts it ${until}.` });
}

function settledAlready({ id, outcome, order }: Entry): UsageError {
  const which = order === null ? '' : ` (order ${order})`;
  const message = `Entry ${id} is settled: ${outcome}${which}.`;
  return new UsageError(message, 'Only an unknown outcome can be settled.');
}

/** Time by which the clocks of the service and of this machine may differ, in milliseconds. */
const CLOCKS_MS = 10 * 60_000;

async function settleWith(ports: Ports, entry: Entry, order: string, signer: Signer | null): Promise<void> {
  const owner = await ports.owner();
  if (entry.account !== owner.account)
    throw new UsageError(
      `Entry ${entry.id} was sent with the key pair of profile ${entry.profile} at ${entry.host}, not with that of profile ${owner.profile}.`,
      `Run it again with -p ${entry.profile}.`,
    );
  const service = await ports.service();
  const { value: seen } = await service.client.transaction(order);
  if (order !== entry.order && (await isAnother(entry, seen)))
    throw new UsageError(
      `Order ${order} is not the requested swap: its coins or payout address are different.`,
      'Check the order number; nothing was changed.',
    );
  const createdAt = wireTime(seen.createdAt);
  const isOlder = createdAt !== null && createdAt < entry.requestedAt - CLOCKS_MS;
  if (createdAt !== null && isOlder)
    await ports.notify({
      level: 'warning',
      text: `Order ${order} was created at ${rfc3339(createdAt)}, before this request was sent (${rfc3339(entry.requestedAt)}). Check that it is the right order.`,
    });
  const compared = await compareAnswer(ports, service, entry, seen);
  const ledger = await ports.ledger();
  // Another order may have ended already, and the create would stop counting.
  const mayBeAnother = isOlder || (entry.order !== null && order !== entry.order);
  const signature = mayBeAnother
    ? await ledger.guards.signLink(owner, signer, { entry: entry.id, order })
    : null;
  const observation = { swap: compared.swap, doubts: compared.doubts, at: ports.now() };
  if (!(await ledger.created(entry.id, observation, entry.request?.refundAddress ?? null, signature)))
    throw new UsageError(
      `Order ${order} already belongs to another ledger entry, or this entry to another order.`,
      'See it with `swapctl history`; nothing was changed.',
    );
  await warnOfDoubts(ports, null, compared);
}

/** Whether a swap has other coins or another payout address than the request: a mistyped number finds another swap. */
async function isAnother({ request }: Entry, { deposit, receive }: Swap): Promise<boolean> {
  if (request === null) return false;
  if (isOtherCode(deposit.coin, request.deposit.coin)) return true;
  if (isOtherCode(receive.coin, request.receive.coin)) return true;
  const { address } = receive;
  return address !== null && !(await sameAddress(request.receive.network, address, request.address));
}
