import { SwapctlError } from '../../errors.ts';

/** Message of the {@link SwapctlError} that a check throws, for a question that is asked again; true where it passes. */
export async function problemOf(check: () => unknown): Promise<true | string> {
  try {
    await check();
    return true;
  } catch (error) {
    if (error instanceof SwapctlError) return error.message;
    throw error;
  }
}
