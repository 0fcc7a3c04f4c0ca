import { hash } from 'node:crypto';
import type { Labels } from '../../swap/labels.ts';
import { addressKey, amountKey, coinKey } from '../../swap/policy/codes.ts';
import type { PolicyRequest, Recipient } from '../../swap/policy/rule.ts';
import type { Quote } from '../../swap/swap.ts';
import type { CreateIntent } from '../entry.ts';
import type { ApprovalRow } from '../schema.ts';

/** The request to approve, as shown to the approver. */
export type ApprovalSubject =
  | {
      readonly kind: 'create';
      readonly request: CreateIntent;
      readonly labels: Labels;
      /** Null if the request was not priced. */
      readonly quote: GuardedCreate['quote'];
      readonly host: string;
    }
  | {
      readonly kind: 'refund';
      readonly order: string;
      readonly refundAddress: string;
      readonly deposit: { readonly coin: string; readonly network: string; readonly amount: string | null };
      readonly host: string;
    };

/** A request that is about to change something, with everything that a policy and an approver need to know. */
export interface GuardedRequest {
  readonly request: PolicyRequest;
  /** What an approver is shown, and signs. */
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

/** A create as a policy sees it: the deposit counts as sent, and the approval is for the requested amount. */
export function guardedCreate({ intent, labels, hasKey, quote, host }: GuardedCreate): GuardedRequest {
  return {
    request: policyRequest(intent, labels, hasKey),
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
  const { network } = deposit;
  const recipient: Recipient = { what: 'refund', network, address: refundAddress, memo: null };
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
    subject: { kind: 'refund', order, refundAddress, deposit: { ...deposit, amount }, host },
  };
}

/**
 * Digest of what an approver is shown, to which the approval is bound; `policy` is a digest too. It is computed from the
 * request that is shown, so that no other can be signed. Throws a TypeError for a stored request that lacks a part.
 */
export function approvalDigest(
  subject: ApprovalSubject,
  { account, environment, policy }: Pick<ApprovalRow, 'account' | 'environment' | 'policy'>,
) {
  return hash('sha256', JSON.stringify([account, environment, policy, subject.host, ...exactOf(subject)]));
}

/** Everything exact in a request. A price moves until it is sent; `coversDeposit` bounds a computed deposit. */
function exactOf(subject: ApprovalSubject): readonly unknown[] {
  const address = (text: string | null) => (text === null ? null : addressKey(text));
  const amount = (text: string | null) => (text === null ? null : amountKey(text));
  if (subject.kind === 'refund') {
    const { order, refundAddress, deposit } = subject;
    return ['refund', order, address(refundAddress), coinKey(deposit), amount(deposit.amount)];
  }
  const { request, labels } = subject;
  return [
    'create',
    coinKey(request.deposit),
    coinKey(request.receive),
    request.lastSource,
    amount(request.asked),
    request.type,
    address(request.address),
    request.memo,
    address(request.refundAddress),
    amount(request.minReceive),
    Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)),
  ];
}
