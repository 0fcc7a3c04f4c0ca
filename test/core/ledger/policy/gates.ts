import { generateKeyPairSync, sign } from 'node:crypto';
import type { CreateIntent } from '../../../../src/core/ledger/entry.ts';
import { type Ledger, openLedger } from '../../../../src/core/ledger/ledger.ts';
import type { Signer } from '../../../../src/core/ledger/policy/changes.ts';
import type { SignedApproval } from '../../../../src/core/ledger/policy/signature.ts';
import type { Policy } from '../../../../src/core/swap/policy/policy.ts';
import { policyOf } from '../../swap/policy/samples.ts';
import { claimed, INTENT, OWNER } from '../entries.ts';

const opened: Ledger[] = [];

/** Closes what a test has opened. */
export async function closeLedgers(): Promise<void> {
  for (const ledger of opened.splice(0)) await ledger.close();
}

export async function open(location: string, actor = 'tester'): Promise<Ledger> {
  const ledger = await openLedger(location, undefined, { actor });
  opened.push(ledger);
  return ledger;
}

export const AT = Date.parse('2026-11-22T12:00:00Z');
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const BTC: CreateIntent = {
  ...INTENT,
  deposit: { coin: 'BTC', network: 'BTC' },
  amount: '0.5',
  asked: '0.5',
};

/** A refund address to be set for a swap of 0.5 BTC. */
export const REFUND_REQUEST = {
  order: 'ORDER1',
  refundAddress: 'bc1qrefund',
  deposit: BTC.deposit,
  amount: '0.5',
  labels: {},
  host: OWNER.host,
};

/** Stores a policy in place of the one that is stored. */
export async function set(ledger: Ledger, policy: Policy, signer: Signer | null = null, at = AT) {
  const { policy: stored } = await ledger.guards.read(OWNER);
  const before = 'value' in stored ? (stored.value?.digest ?? null) : null;
  await ledger.guards.set(OWNER, { policy, before, signer }, at);
}

/** Claims a create; the entry's id, or the error. */
export async function create(
  ledger: Ledger,
  { at = AT, intent = BTC, key = null, ...claim }: CreateOptions = {},
) {
  const { labels = {}, owner = OWNER } = claim;
  const approval = claim.approval === undefined ? null : { id: claim.approval };
  return (await claimed(ledger, owner, { ...intent, labels }, key, at, { approval })).id;
}

export interface CreateOptions {
  readonly at?: number;
  readonly intent?: CreateIntent;
  readonly key?: string | null;
  readonly owner?: typeof OWNER;
  readonly labels?: Readonly<Record<string, string>>;
  readonly approval?: string;
}

const DEPOSIT = { coin: 'BTC', network: 'BTC', amount: null };
const NOT_SHOWN: Omit<SignedApproval, 'id'> = {
  digest: '',
  until: 0,
  subject: { kind: 'refund', order: 'A', refundAddress: 'bc1q', deposit: DEPOSIT, host: OWNER.host },
};

/** Signs an approval as it is shown now. */
export async function grantShown(ledger: Ledger, id: string, signer: Signer, at: number) {
  const shown = await ledger.approvals.byId(id, at);
  return ledger.approvals.grant(shown ?? { ...NOT_SHOWN, id }, signer, at);
}

/** The ID of the approval that an error names. */
export const approvalIdOf = (error: unknown) =>
  (error as { details: { approval: { id: string } } }).details.approval.id;

/** A policy under which everything needs an approval by a key. */
export const approvedBy = ({ publicKey }: Signer) =>
  policyOf([{ approve: { by: [publicKey], within: '1h' } }]);

/** A new key that signs. */
export function signer(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64');
  return {
    publicKey: `ed25519:${raw}`,
    sign: (statement) => sign(null, Buffer.from(statement), privateKey).toString('base64'),
  };
}

export const refused = { code: 'policy_refused', exitCode: 12, outcome: 'nothing-sent' };
export const CAP = policyOf([{ cap: { coin: 'BTC', amount: '1', per: '24h' } }]);
