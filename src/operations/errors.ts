import { type ErrorCode, EXIT_CODES, type Outcome } from '../errors.ts';
import facts from './errors.json';

/** What a program has to know about an error code. */
export interface ErrorCodeData {
  readonly code: ErrorCode;
  /** Exit code of the command; for `interrupted` 143 if the signal was SIGTERM or SIGHUP. */
  readonly exitCode: number;
  readonly meaning: string;
  /** Whether the same command may succeed later; null if it depends on the case, as shown in the error object. */
  readonly retryable: boolean | null;
  /** Possible effects of the request. */
  readonly outcomes: readonly Outcome[];
  readonly fix: string;
}

type Facts = Omit<ErrorCodeData, 'code' | 'exitCode' | 'outcomes'> & {
  /** Default: nothing was sent. */
  readonly outcomes?: readonly string[];
};

const FACTS: Readonly<Record<ErrorCode, Facts>> = facts;

/** Every error code, in the order of the exit codes. */
export function errorCodes(): readonly ErrorCodeData[] {
  return (Object.keys(FACTS) as ErrorCode[]).map((code) => {
    const { meaning, retryable, outcomes = ['nothing-sent'], fix } = FACTS[code];
    return { code, exitCode: EXIT_CODES[code], meaning, retryable, outcomes: outcomes as Outcome[], fix };
  });
}
