import type { Approval, ApprovalSubject } from '../ledger/policy/approvals.ts';
import { coinLabel } from '../swap/coin-ref.ts';
import type { DetailLine } from '../terminal/details.ts';
import type { View } from '../terminal/streams.ts';
import type { Style } from '../terminal/style.ts';
import type { Visible } from '../text.ts';
import { relativeTime, rfc3339 } from '../time.ts';
import { tableView } from './columns.ts';

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
    { title: 'REQUEST', wraps: true, cell: ({ request }) => subjectText(request) },
  ]);
}

function approvalRow({ id, state, until, profile, requestedBy, request }: ApprovalResult) {
  return [id, state, until, profile, requestedBy, subjectText(request)];
}

/** One approval; the screen is drawn by the command, which knows the review. */
export function approvalView(
  approval: ApprovalResult,
  screen: (style: Style, width: number) => Visible,
): View {
  return { json: () => approval, rows: () => [approvalRow(approval)], screen };
}

/** State and keys of an approval. */
export function approvalLines(approval: ApprovalResult, now: number): readonly DetailLine[] {
  const { id, state, until, requestedBy, requestedAt, keys, grants, request } = approval;
  const isCreate = request.kind === 'create';
  return [
    ['Approval', id],
    ['State', state],
    ['Request', isCreate ? null : subjectText(request)],
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
  const { deposit, receive, amount, address } = subject.request;
  return `${amount} ${coinLabel(deposit)} to ${coinLabel(receive)} at ${address}`;
}
