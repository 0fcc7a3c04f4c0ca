import { hash } from 'node:crypto';
import type { Labels } from '../../swap/labels.ts';
import { addressKey, amountKey, coinKey } from '../../swap/policy/codes.ts';
import type { PolicyRequest, Recipient } from '../../swap/policy/decide.ts';
import type { Quote } from '../../swap/swap.ts';
import type { CreateIntent } from '../entry.ts';
import type { ApprovalSubject } from './approvals.ts';

/** A request that is about to change something, with everything that a policy and an approver need to know. */
export interface GuardedRequest {
  readonly request: PolicyRequest;
  /** Everything that an approval is bound to, besides account and policy. */
  readonly exact: readonly unknown[];
  readonly subject: ApprovalSubject;
}

export interface GuardedCreate {
  readonly intent: CreateIntent;
  readonly labels: Labels;
  readonly hasKey: boolean;
  readonly quote: Pick<Quote, 'amount' | 'receive' | 'rate' | 'min' | 'max'> | null;
  /** Host of the service, for the approver. */
  readonly host: string;
}

/** A create as a policy judges it: the deposit counts as sent, and the approval is for the requested amount. */
export function guardedCreate({ intent, labels, hasKey, quote, host }: GuardedCreate): GuardedRequest {
  const { deposit, receive, type, address, memo, refundAddress, asked, lastSource } = intent;
  return {
    request: policyRequest(intent, labels, hasKey),
    exact: [
      'create',
      coinKey(deposit),
      coinKey(receive),
      lastSource,
      amountKey(asked),
      type,
      addressKey(address),
      memo,
      refundAddress === null ? null : addressKey(refundAddress),
      Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)),
    ],
    subject: { kind: 'create', request: intent, labels, quote, host },
  };
}

export function policyRequest(intent: CreateIntent, labels: Labels, hasKey: boolean): PolicyRequest {
  const { deposit, receive, type, amount, address, memo, refundAddress, minReceive } = intent;
  const refund: Recipient[] =
    refundAddress === null
      ? []
      : [{ what: 'refund', network: deposit.network, address: refundAddress, memo: null }];
  return {
    kind: 'create',
    deposit,
    amount,
    receive,
    type,
    recipients: [{ what: 'payout', network: receive.network, address, memo }, ...refund],
    labels,
    has: new Set([
      ...(refundAddress === null ? [] : ['refundAddress']),
      ...(hasKey ? ['idempotencyKey'] : []),
      ...(minReceive === null ? [] : ['minReceive']),
    ]),
  };
}

/** A refund address to set: a payout of the deposit. */
export interface GuardedRefund {
  readonly order: string;
  readonly refundAddress: string;
  readonly deposit: { readonly coin: string; readonly network: string };
  /** Null if the amount of the deposit is not known. */
  readonly amount: string | null;
  readonly labels: Labels;
  readonly host: string;
}

export function guardedRefund(refund: GuardedRefund): GuardedRequest {
  const { order, refundAddress, deposit, amount, labels, host } = refund;
  const recipient: Recipient = {
    what: 'refund',
    network: deposit.network,
    address: refundAddress,
    memo: null,
  };
  return {
    request: {
      kind: 'refund',
      deposit,
      amount,
      receive: null,
      type: null,
      recipients: [recipient],
      labels,
      has: new Set(),
    },
    exact: ['refund', order, addressKey(refundAddress)],
    subject: { kind: 'refund', order, refundAddress, deposit: { ...deposit, amount }, host },
  };
}

/** Digest of a request under a policy, to which an approval is bound. */
export function requestDigest({ exact }: GuardedRequest, account: string, policy: string): string {
  return hash('sha256', JSON.stringify([account, policy, ...exact]));
}
