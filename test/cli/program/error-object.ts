import { expect } from 'vitest';
import type { Run } from '../../helpers/run.ts';

const ERROR_KEYS = 'code message hint httpStatus retryable outcome exitCode details actions'.split(' ');

/** Holds a failed run against what docs/command-line/output.md#json and #exit-codes say of every failure. */
export function expectError(run: Run, exit: number, code: string): void {
  expect(run.code, run.stderr).toBe(exit);
  expect(run.stdout).toBe('');
  const error = run.error();
  expect(Object.keys(error)).toEqual(ERROR_KEYS);
  expect(error).toMatchObject({ code, exitCode: exit });
  expect(error.message.length).toBeGreaterThan(5);
  expect(error.hint === null || typeof error.hint === 'string').toBe(true);
  expect(['boolean', 'object']).toContain(typeof error['retryable']);
  expect(['nothing-sent', 'refused', 'unknown', 'done']).toContain(error.outcome);
  const last = run.stderr.trimEnd().split('\n').at(-1) ?? '';
  expect(Object.keys(JSON.parse(last))).toEqual(['error']);
}
