import { type Alteration, inBody, type RequestChange, refused } from './altering-server.ts';

/** One respect in which a service differs, and the checks that must find it. */
export interface Difference {
  readonly alter: Alteration;
  readonly change?: RequestChange;
  readonly write?: boolean;
  readonly differs: readonly string[];
  /** Checks that are skipped because of it. */
  readonly skipped?: readonly string[];
  /** What the first check reports. */
  readonly found?: string;
}

/** An undocumented error. */
export const WORDS = refused(400, 'this is wrong');

/** A validation error with messages. */
export function invalid(...message: string[]) {
  const text = JSON.stringify({ statusCode: 400, message, error: 'Bad Request' });
  return { ...refused(400, ''), text };
}

/** A difference in the response to create-transaction. */
export function made(
  change: Parameters<typeof inBody>[1],
  differs: readonly string[],
  found?: string,
  others: readonly string[] = [],
): Difference {
  return {
    write: true,
    alter: inBody('create-transaction', change),
    differs: [...differs.map((check) => `create-transaction: ${check}`), ...others],
    ...(found === undefined ? {} : { found }),
  };
}
