import type { AuditLink, ChainProblem } from '../ledger/policy/chain.ts';
import { renderDetails } from '../terminal/details.ts';
import type { View } from '../terminal/streams.ts';
import { renderTable } from '../terminal/table.ts';
import { localTime } from '../time.ts';

/** A link as `--json` has it. */
export type LinkResult = Partial<AuditLink> & { readonly n: number; readonly hash: string };

/** A stored link for output; what cannot be read is shown by its number and hash. */
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
  return {
    json: () => links,
    rows: () =>
      links.map(({ n, at = '', actor = '', profile = '', type = '', data, hash }) => [
        ...[String(n), at, actor, profile, type],
        JSON.stringify(data ?? null),
        hash,
      ]),
    screen: (style, width) =>
      links.length === 0
        ? ''
        : renderTable(
            [
              { title: 'N' },
              { title: 'AT' },
              { title: 'ACTOR' },
              { title: 'PROFILE' },
              { title: 'TYPE' },
              { title: 'DETAILS', wraps: true },
            ],
            links.map((link) => [
              ...[
                String(link.n),
                link.at === undefined ? '' : localTime(link.at),
                link.actor ?? '',
                link.profile ?? '',
              ],
              ...[link.type ?? 'unreadable', aboutText(link)],
            ]),
            style,
            width,
          ),
  };
}

function aboutText({ data = {} }: LinkResult): string {
  const keys = ['decision', 'reasons', 'outcome', 'order', 'id', 'reason', 'what'];
  const words = keys.flatMap((key) => data[key]);
  return words.filter((word) => typeof word === 'string').join(' ');
}

/** The result of verifying a chain. */
export interface VerifiedChain {
  readonly links: number;
  readonly head: string;
  readonly problems: readonly ChainProblem[];
}

/** The result of a check. */
export function verifiedView(verified: VerifiedChain): View {
  const { links, head, problems } = verified;
  return {
    json: () => ({ ok: problems.length === 0, ...verified }),
    rows: () => [
      [problems.length === 0 ? 'ok' : 'changed', String(links), head],
      ...problems.map(({ n, problem }) => ['problem', n === null ? '' : String(n), problem]),
    ],
    screen: (style, width) =>
      renderDetails(
        [
          [
            'Chain',
            problems.length === 0 ? 'unchanged' : 'changed',
            problems.length === 0 ? style.green : style.red,
          ],
          ['Links', String(links)],
          ['Head', head],
          ...problems.map(
            ({ n, problem }) => [n === null ? 'Chain' : `Link ${n}`, problem, style.red, 'prose'] as const,
          ),
        ],
        style,
        width,
      ),
  };
}
