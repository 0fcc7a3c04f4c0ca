import { type ErrorCode, EXIT_CODES, type Outcome } from '../../base/errors.ts';
import facts from './errors.json';

/** What a program has to know about an error code. */
export type ErrorCodeData = ReturnType<typeof errorCodes>[number];

interface Facts {
  readonly meaning: string;
  /** Whether the same command may succeed later; null if it depends on the case, which the error object decides. */
  readonly retryable: boolean | null;
  /** Possible effects of the request. Default: nothing was sent. */
  readonly outcomes?: readonly string[];
  readonly fix: string;
}

const FACTS: Readonly<Record<ErrorCode, Facts>> = facts;

/** Every error code, in the order of the exit codes; that of `interrupted` is 143 where the signal was SIGTERM or SIGHUP. */
export function errorCodes() {
  return (Object.keys(FACTS) as ErrorCode[]).map((code) => {
    const { meaning, retryable, outcomes = ['nothing-sent'], fix } = FACTS[code];
    return { code, exitCode: EXIT_CODES[code], meaning, retryable, outcomes: outcomes as Outcome[], fix };
  });
}
