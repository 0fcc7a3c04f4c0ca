import { shown, type Visible } from '../../../base/text.ts';
import { relativeTime, rfc3339 } from '../../../base/time.ts';
import type { Approval } from '../../../core/ledger/policy/approvals.ts';
import type { ApprovalSubject } from '../../../core/ledger/policy/request.ts';
import { coinLabel } from '../../../core/swap/coin-ref.ts';
import { labelsText } from '../../../core/swap/labels.ts';
import { type DetailLine, renderDetails } from '../../terminal/details.ts';
import type { View } from '../../terminal/streams.ts';
import { PLAIN, type Style } from '../../terminal/style.ts';
import { tableView } from '../../views/columns.ts';

/** An approval as `--json` has it. */
export type ApprovalResult = ReturnType<typeof approvalResult>;

/** An approval for output; times are RFC 3339. */
export function approvalResult(approval: Approval) {
  const { id, state, profile, environment, subject, wanted, requestedBy, grants, digest } = approval;
  return {
    id,
    state,
    profile,
    environment,
    requestedAt: rfc3339(approval.requestedAt),
    requestedBy,
    until: rfc3339(approval.until),
    digest,
    account: approval.account,
    policy: approval.policy,
    keys: [...new Set(wanted.flat())],
    grants: grants.map(({ key, actor, at }) => ({ key, actor, at: rfc3339(at) })),
    request: subject,
  };
}

/** Approvals, newest first. */
export function approvalsView(approvals: readonly ApprovalResult[], now: number): View {
  return tableView(approvals, approvalRow, () => [
    { title: 'ID', cell: ({ id }) => id },
    { title: 'STATE', cell: ({ state }) => state },
    { title: 'UNTIL', cell: ({ until }) => relativeTime(until, now) },
    { title: 'PROFILE', cell: ({ profile }) => profile },
    { title: 'REQUEST', wraps: true, cell: requestText },
  ]);
}

function approvalRow(approval: ApprovalResult) {
  const { id, state, until, profile, requestedBy } = approval;
  return [id, state, until, profile, requestedBy, requestText(approval)];
}

/** The request in one line; one that was altered may lack any part. */
function requestText({ state, request }: ApprovalResult): string {
  return state === 'altered' ? 'altered in the ledger' : subjectText(request);
}

/** One approval: everything that its digest covers, as `lines` has it, then its state. */
export function approvalView(
  approval: ApprovalResult,
  lines: (style: Style) => readonly DetailLine[],
  now: number,
): View {
  return {
    json: () => approval,
    rows: () =>
      [...lines(PLAIN), ...approvalLines(approval, now)].flatMap(([name, value]) =>
        value === null || value === '' ? [] : [[name.trim(), value]],
      ),
    screen: (style, width) => approvalText(approval, lines(style), now, { style, width }),
  };
}

/** The same for a screen. */
export function approvalText(
  approval: ApprovalResult,
  lines: readonly DetailLine[],
  now: number,
  { style, width }: { readonly style: Style; readonly width: number },
): Visible {
  const state = renderDetails(approvalLines(approval, now), style, width);
  return shown` ${style.bold(shown`Review`)}\n${renderDetails(lines, style, width)}\n${state}`;
}

/** State and keys of an approval. */
function approvalLines(approval: ApprovalResult, now: number): readonly DetailLine[] {
  const { id, state, until, requestedBy, requestedAt, keys, grants, digest, account, policy } = approval;
  return [
    ['Approval', id],
    ['State', state],
    ['Digest', digest],
    ['Account', account],
    ['Policy', policy],
    ['Requested', `by ${requestedBy} ${relativeTime(requestedAt, now)}`],
    ['Until', `${until} (${relativeTime(until, now)})`],
    ...keys.map((key) => ['Key', key] as const),
    ...grants.map(
      ({ key, actor, at }) =>
        ['Signed', `by ${actor} ${relativeTime(at, now)} with ${key}`, undefined, 'prose'] as const,
    ),
  ];
}

function subjectText(subject: ApprovalSubject): string {
  if (subject.kind === 'refund') return `refund address ${subject.refundAddress} for ${subject.order}`;
  const { deposit, receive, amount, type, address, memo, refundAddress, minReceive } = subject.request;
  const labels = labelsText(subject.labels);
  return [
    `${amount} ${coinLabel(deposit)} to ${coinLabel(receive)} at ${address}`,
    ...(memo === null ? [] : [`memo ${memo}`]),
    ...(refundAddress === null ? [] : [`refund address ${refundAddress}`]),
    `${type} rate`,
    ...(minReceive === null ? [] : [`at least ${minReceive}`]),
    ...(labels === null || labels === '' ? [] : [labels]),
  ].join(', ');
}
