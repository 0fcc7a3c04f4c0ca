import { expect } from 'vitest';
import type { Run } from './run.ts';
import type { Scene } from './scene.ts';

/** How a create has to end. */
export interface CreateOutcome {
  readonly exit: number;
  /** `error.code`; null for a create that succeeds. */
  readonly code: string | null;
  readonly posts: number;
  /** The ledger's outcome, or null where nothing is recorded. */
  readonly ledger: 'created' | 'unknown' | 'refused' | 'not-sent' | null;
  /** `error.httpStatus`, where the test knows what was received. */
  readonly httpStatus?: number | null;
  /** `error.retryable`; false after an exit with 7. */
  readonly retryable?: boolean;
  /** Words that the error has to say. */
  readonly says?: readonly RegExp[];
}

/** A create with an unknown outcome: sent once, and never again. */
export const UNKNOWN = { exit: 7, code: 'outcome_unknown', posts: 1, ledger: 'unknown' } as const;

/** A create that was answered as it should be. */
export const CREATED = { exit: 0, code: null, posts: 1, ledger: 'created' } as const;

/** What an exit with 7 always says, word for word: docs/safety.md#rules. */
const UNKNOWN_WORDS = [/order .*exist/i, /costs nothing/, /fund only an address that swapctl showed you/i];

const OUTCOMES: Readonly<Record<string, string>> = {
  created: 'done',
  unknown: 'unknown',
  refused: 'refused',
  'not-sent': 'nothing-sent',
};

/** Holds a finished create against everything that is promised of it. */
export async function expectCreate(scene: Scene, run: Run, expected: CreateOutcome): Promise<void> {
  expect({ exit: run.code, posts: scene.service.posts() }, run.stderr).toEqual({
    exit: expected.exit,
    posts: expected.posts,
  });
  const lines = await scene.history();
  expect(lines.map(({ outcome }) => outcome)).toEqual(expected.ledger === null ? [] : [expected.ledger]);
  if (expected.code === null) {
    expect(run.json()).toMatchObject({ order: lines[0]?.order });
    return;
  }
  expect(run.stdout).toBe('');
  const error = run.error();
  expect(error).toMatchObject({ code: expected.code, exitCode: expected.exit });
  if (expected.httpStatus !== undefined) expect(error['httpStatus']).toBe(expected.httpStatus);
  if (expected.ledger !== null) expect(error.outcome).toBe(OUTCOMES[expected.ledger]);
  const retryable = expected.exit === 7 ? false : expected.retryable;
  if (retryable !== undefined) expect(error['retryable']).toBe(retryable);
  const words = `${error.message} ${error.hint}`;
  for (const printed of [...(expected.exit === 7 ? UNKNOWN_WORDS : []), ...(expected.says ?? [])])
    expect(words).toMatch(printed);
}
