import { localTime } from '../../../base/time.ts';
import type { AuditLink, ChainProblem } from '../../../core/ledger/policy/chain.ts';
import type { View } from '../../terminal/streams.ts';
import { detailsView, tableView } from '../../views/columns.ts';

/** A link as `--json` has it. */
export type LinkResult = Partial<AuditLink> & { readonly n: number; readonly hash: string };

/** A stored link for output; an unreadable one is shown by its number and hash. */
export function linkResult({
  n,
  body,
  hash,
}: {
  readonly n: number;
  readonly body: string;
  readonly hash: string;
}): LinkResult {
  try {
    return { ...(JSON.parse(body) as AuditLink), n, hash };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { n, hash };
  }
}

/** Links, newest first. */
export function auditView(links: readonly LinkResult[]): View {
  return tableView(
    links,
    ({ n, at = '', actor = '', profile = '', type = '', data, hash }) => [
      ...[n, at, actor, profile, type, JSON.stringify(data ?? null), hash],
    ],
    () => [
      { title: 'N', cell: ({ n }) => String(n) },
      { title: 'AT', cell: ({ at }) => (at === undefined ? '' : localTime(at)) },
      { title: 'ACTOR', cell: ({ actor = '' }) => actor },
      { title: 'PROFILE', cell: ({ profile = '' }) => profile },
      { title: 'TYPE', cell: ({ type = 'unreadable' }) => type },
      { title: 'DETAILS', wraps: true, cell: aboutText },
    ],
  );
}

function aboutText({ data = {} }: LinkResult): string {
  const keys = ['decision', 'reasons', 'outcome', 'order', 'id', 'reason', 'what'];
  const words = keys.flatMap((key) => data[key]);
  return words.filter((word) => typeof word === 'string').join(' ');
}

export interface VerifiedChain {
  readonly links: number;
  readonly head: string;
  readonly problems: readonly ChainProblem[];
}

/** The result of a check. */
export function verifiedView(verified: VerifiedChain): View {
  const { links, head, problems } = verified;
  const ok = problems.length === 0;
  return detailsView(
    { ok, ...verified },
    (style) => [
      ['Chain', ok ? 'unchanged' : 'changed', ok ? style.green : style.red],
      ['Links', String(links)],
      ['Head', head],
      ...problems.map(
        ({ n, problem }) => [n === null ? 'Chain' : `Link ${n}`, problem, style.red, 'prose'] as const,
      ),
    ],
    () => [
      [ok ? 'ok' : 'changed', links, head],
      ...problems.map(({ n, problem }) => ['problem', n, problem]),
    ],
  );
}
