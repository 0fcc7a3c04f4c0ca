import type { Hearing, Lie } from './lying-server.ts';
import { printed, refused } from './lying-server.ts';

/** One thing that a service does differently, and what has to be found because of it. */
export interface Difference {
  readonly lie: Lie;
  readonly hear?: Hearing;
  readonly write?: boolean;
  readonly differs: readonly string[];
  /** Checks that cannot be made because of it. */
  readonly skipped?: readonly string[];
  /** What is said of the first. */
  readonly found?: string;
}

/** An error that is none of the documented ones. */
export const WORDS = refused(400, 'this is wrong');

/** A validation error with texts. */
export function invalid(...message: string[]) {
  const text = JSON.stringify({ statusCode: 400, message, error: 'Bad Request' });
  return { ...refused(400, ''), text };
}

/** A difference in the answer that makes an order. */
export function made(
  change: Parameters<typeof printed>[1],
  differs: readonly string[],
  found?: string,
  others: readonly string[] = [],
): Difference {
  return {
    write: true,
    lie: printed('create-transaction', change),
    differs: [...differs.map((check) => `create-transaction: ${check}`), ...others],
    ...(found === undefined ? {} : { found }),
  };
}
