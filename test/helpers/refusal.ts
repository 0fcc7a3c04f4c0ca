import { expect } from 'vitest';
import { SwapctlError } from '../../src/base/errors.ts';

/** Code, message and hint of a refusal; null if nothing is refused. */
export function refusal(check: () => unknown) {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    return { code: error.code, message: error.message, hint: error.hint };
  }
}

/** The error of work that is refused. */
export async function rejection(work: Promise<unknown>): Promise<SwapctlError> {
  const error = await work.then(
    () => expect.fail('nothing was refused'),
    (reason: unknown) => reason,
  );
  if (error instanceof SwapctlError) return error;
  throw error;
}
