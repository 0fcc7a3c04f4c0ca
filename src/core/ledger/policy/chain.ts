import { hash } from 'node:crypto';
import { parsed } from '../../../base/text.ts';

/** A link of the audit chain. Keys are in the order in which they are written, and only texts, whole numbers, null and lists occur. */
export interface AuditLink {
  /** Counts from 1, without a gap. */
  readonly n: number;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly actor: string;
  readonly profile: string;
  readonly account: string;
  /** `create`, `refund`, `decision`, `outcome`, `approval.…` or `policy.…`. */
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Hash of the link before, 64 zeros for the first. */
  readonly previous: string;
}

/** A position in the chain with its hash, which proves everything written up to it. */
export interface ChainHead {
  readonly n: number;
  readonly hash: string;
}

/** The head of a chain without links. */
export const EMPTY_HEAD: ChainHead = { n: 0, hash: '0'.repeat(64) };

/** A head as text, `17:9f86…`. */
export function headText({ n, hash: digest }: ChainHead): string {
  return `${n}:${digest}`;
}

/** Reads the text of a head; null for any other text. */
export function readHead(text: string): ChainHead | null {
  const [, n, digest] = /^([0-9]{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  return n === undefined || digest === undefined ? null : { n: Number.parseInt(n, 10), hash: digest };
}

/** The hash of a link: SHA-256 of its JSON, as hexadecimal digits. */
export function hashOf(body: string): string {
  return hash('sha256', body);
}

/** A link as a line of an export: its JSON with the hash added as the last key. */
export function exportLine(body: string, digest: string): string {
  return `${body.slice(0, -1)},"hash":"${digest}"}`;
}

/** The parts of an export's line; null for any other text. */
export function readLine(line: string): { readonly body: string; readonly hash: string } | null {
  const [, body, digest] = /^(\{.*),"hash":"([0-9a-f]{64})"\}$/s.exec(line) ?? [];
  return body === undefined || digest === undefined ? null : { body: `${body}}`, hash: digest };
}

export interface ChainProblem {
  /** Position of the link; null if it concerns the whole chain. */
  readonly n: number | null;
  readonly problem: string;
}

/** Result of a check: the problems, the number of links, and the head. */
export type ChainVerification = Readonly<ReturnType<ChainVerifier['end']>>;

/** Checks links one after the other, oldest first. */
export class ChainVerifier {
  readonly #problems: ChainProblem[] = [];
  readonly #expected: ChainHead | null;
  #head: ChainHead = EMPTY_HEAD;
  #links = 0;
  #isHeadFound: boolean;

  /** `expected` is a head that was saved elsewhere. */
  constructor(expected: ChainHead | null = null) {
    this.#expected = expected;
    this.#isHeadFound = expected === null || expected.n === 0;
  }

  add(link: { readonly body: string; readonly hash: string } | null): void {
    const n = this.#head.n + 1;
    this.#links += 1;
    if (link === null) {
      this.#problem(n, 'This is not a link of an audit chain.');
      this.#head = { n, hash: '' };
      return;
    }
    const content = parsed(link.body) as Partial<AuditLink> | null | undefined;
    const digest = hashOf(link.body);
    if (digest !== link.hash) this.#problem(n, 'The content does not match its hash: it was changed.');
    if (content?.n !== n)
      this.#problem(n, `Link ${n} is expected here: links were removed, inserted or reordered.`);
    if (content?.previous !== this.#head.hash) this.#problem(n, 'It does not follow the link before it.');
    // The number that the link has, so that one lost link is one problem.
    this.#head = { n: Number.isSafeInteger(content?.n) ? (content?.n ?? n) : n, hash: link.hash };
    if (this.#expected?.n !== this.#head.n) return;
    this.#isHeadFound = true;
    if (this.#expected.hash !== digest)
      this.#problem(this.#head.n, 'It is not the link of the given head: the chain was rewritten.');
  }

  end() {
    if (!this.#isHeadFound)
      this.#problems.push({
        n: null,
        problem: `The chain ends with link ${this.#head.n}, before link ${this.#expected?.n} of the given head: the end was cut off.`,
      });
    return { links: this.#links, head: this.#head, problems: this.#problems as readonly ChainProblem[] };
  }

  #problem(n: number, problem: string): void {
    this.#problems.push({ n, problem });
  }
}
