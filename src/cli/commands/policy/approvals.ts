import type { Command } from 'commander';
import { notListed, SwapctlError } from '../../../base/errors.ts';
import { shown } from '../../../base/text.ts';
import { relativeTime, rfc3339 } from '../../../base/time.ts';
import type { Approval } from '../../../core/ledger/policy/approvals.ts';
import type { ApprovalSubject } from '../../../core/ledger/policy/request.ts';
import { labelsText } from '../../../core/swap/labels.ts';
import { coinLabel } from '../../../core/swap/swap.ts';
import { announce, type Context } from '../../context.ts';
import { approverKeyFile, makeSigningKey, readSigningKey } from '../../settings/signing-key.ts';
import { type DetailLine, renderDetails } from '../../terminal/details.ts';
import type { View } from '../../terminal/streams.ts';
import { PLAIN, type Style } from '../../terminal/style.ts';
import { tableView } from '../../views/columns.ts';
import { approvalArgument } from '../shared/arguments.ts';
import { guardMessageView } from '../shared/policy-shown.ts';
import { confirmed } from '../shared/questions.ts';
import { reviewLines, serviceLines } from '../shared/review-text.ts';

export function approvalsCommand(approvals: Command, context: () => Context): void {
  approvals
    .description('Requests that the policy allows only with the signature of an approver.')
    .helpCommand(false);
  approvals
    .command('list')
    .description('List approvals, newest first; of all profiles unless -p or --sandbox is given.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl policy approvals list\n  $ swapctl policy approvals list --json | jq -r \'.[] | select(.state == "pending") | .id\'',
    )
    .action(() => list(context()));
  const one = (name: string, description: string) =>
    approvals
      .command(name)
      .description(description)
      .argument('<id>', 'id of the approval, from `swapctl policy approvals list`');
  one('show', 'Show what would be sent, as create reviews it, and who has signed.')
    .addHelpText('after', '\nExamples:\n  $ swapctl policy approvals show apr_0123456789abcdef0123')
    .action((id: string) => show(context(), approvalArgument(id)));
  one('grant', 'Approve a request by signing it with your own key.')
    .option('-y, --yes', 'skip the confirmation')
    .addHelpText('after', '\nExamples:\n  $ swapctl policy approvals grant apr_0123456789abcdef0123')
    .action((id: string, flags: { readonly yes?: boolean }) =>
      grant(context(), approvalArgument(id), flags.yes === true),
    );
  one('refuse', 'Refuse a request; it can no longer be approved.')
    .addHelpText('after', '\nExamples:\n  $ swapctl policy approvals refuse apr_0123456789abcdef0123')
    .action((id: string) => refuse(context(), approvalArgument(id)));
  approvals
    .command('key')
    .description('Print your public key, for use in a policy. Creates the key pair if there is none.')
    .addHelpText('after', '\nExamples:\n  $ swapctl policy approvals key')
    .action(() => key(context()));
}

async function list(context: Context): Promise<void> {
  const ledger = await context.ledger();
  const profile = context.onlyProfile;
  const account = profile === null ? null : (await context.owner()).account;
  const approvals = await ledger.approvals.list(account, context.now());
  await context.streams.print(approvalsView(approvals.map(approvalResult), context.now()));
  if (approvals.length === 0) context.streams.note('There are no approvals.');
}

async function show(context: Context, id: string): Promise<void> {
  const approval = await approvalOf(context, id);
  await context.streams.print(approvalView(approval, context.now()));
}

async function grant(context: Context, id: string, yes: boolean): Promise<void> {
  const { streams } = context;
  const approval = await approvalOf(context, id);
  const signer = readSigningKey(approverKeyFile(context.settings.paths));
  if (signer === null)
    throw new SwapctlError('no_credentials', 'You have no key for approvals.', {
      hint: 'Create one with `swapctl policy approvals key`, and ask the owner to add it to the policy.',
    });
  announceApproval(context, approval);
  const { screen } = approvalView(approval, context.now());
  streams.noteRendered(screen(await streams.noteStyle(), streams.noteWidth));
  if (!yes && streams.interactive) await confirmed(context, 'Approve this request?', 'nothing was approved');
  const granted = await (await context.ledger()).approvals.grant(approval, signer, context.now());
  const words =
    granted.state === 'granted'
      ? `Approved ${id}. It can be used once, until ${rfc3339(granted.until)}.`
      : `Signed ${id}. It still needs another signature.`;
  await context.streams.print(guardMessageView(approvalResult(granted), words));
}

async function refuse(context: Context, id: string): Promise<void> {
  announceApproval(context, await approvalOf(context, id));
  const refused = await (await context.ledger()).approvals.refuse(id, context.now());
  await context.streams.print(guardMessageView(approvalResult(refused), `Refused ${id}.`));
}

async function key({ settings, streams }: Context): Promise<void> {
  const file = approverKeyFile(settings.paths);
  const found = readSigningKey(file);
  const { publicKey } = found ?? makeSigningKey(file);
  if (found === null) streams.note(`Created a key pair; the private key is in ${file}.`, true);
  await streams.print(guardMessageView({ publicKey, file, made: found === null }, publicKey));
}

function announceApproval(context: Context, { profile, environment, subject }: Approval): void {
  announce(context, { profile, environment, host: subject.host });
}

async function approvalOf(context: Context, id: string): Promise<Approval> {
  const { approvals } = await context.ledger();
  const approval = await approvals.byId(id, context.now());
  if (approval === null) throw notListed(`The ledger has no approval ${id}.`, 'policy approvals list');
  await approvals.refuseAltered(approval, context.now());
  return approval;
}

/** Everything that the digest of an approval covers. */
function requestLines({ subject, profile, environment }: Approval, style: Style): readonly DetailLine[] {
  if (subject.kind === 'create') {
    const quote = subject.quote === null ? null : { ...subject.quote, fee: null };
    return reviewLines({ ...subject, profile, environment, quote, impact: null }, style);
  }
  const { order, refundAddress, deposit, host } = subject;
  return [
    ['Order', order, style.bold],
    ['New refund address', refundAddress, style.cyan],
    ['Deposit', `${deposit.amount ?? 'unknown amount of'} ${deposit.coin} on ${deposit.network}`],
    ...serviceLines({ profile, environment, host }, style),
  ];
}

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
  const cells = (each: ApprovalResult) => {
    const { id, state, until, profile, requestedBy } = each;
    return [id, state, until, profile, requestedBy, requestText(each)];
  };
  return tableView(approvals, cells, () => [
    { title: 'ID', cell: ({ id }) => id },
    { title: 'STATE', cell: ({ state }) => state },
    { title: 'UNTIL', cell: ({ until }) => relativeTime(until, now) },
    { title: 'PROFILE', cell: ({ profile }) => profile },
    { title: 'REQUEST', wraps: true, cell: requestText },
  ]);
}

/** The request in one line; one that was altered may lack any part. */
function requestText({ state, request }: ApprovalResult): string {
  return state === 'altered' ? 'altered in the ledger' : subjectText(request);
}

/** One approval: everything that its digest covers, then its state. */
function approvalView(approval: Approval, now: number) {
  const result = approvalResult(approval);
  return {
    json: () => result,
    rows: () =>
      [...requestLines(approval, PLAIN), ...approvalLines(result, null)].flatMap(([name, value]) =>
        value === null || value === '' ? [] : [[name.trim(), value]],
      ),
    screen: (style: Style, width: number) => {
      const lines = renderDetails(requestLines(approval, style), style, width);
      const state = renderDetails(approvalLines(result, now), style, width);
      return shown` ${style.bold(shown`Review`)}\n${lines}\n${state}`;
    },
  };
}

/** What became of an approval; times are relative to `now`, or as they are without it. */
function approvalLines(approval: ApprovalResult, now: number | null): readonly DetailLine[] {
  const { id, state, until, requestedBy, requestedAt, keys, grants, digest, account, policy } = approval;
  const when = (time: string) => (now === null ? `at ${time}` : relativeTime(time, now));
  return [
    ['Approval', id],
    ['State', state],
    ['Digest', digest],
    ['Account', account],
    ['Policy', policy],
    ['Requested', `by ${requestedBy} ${when(requestedAt)}`],
    ['Until', now === null ? until : `${until} (${when(until)})`],
    ...keys.map((key) => ['Key', key] as const),
    ...grants.map(
      ({ key, actor, at }) => ['Signed', `by ${actor} ${when(at)} with ${key}`, undefined, 'prose'] as const,
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
