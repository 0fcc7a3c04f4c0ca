import type { ErrorCode, SwapctlError } from '../../../errors.ts';

/** Whether an error is about one order, so that the others of its profile can be asked for all the same. */
export function isForOneOrder({ code }: SwapctlError): boolean {
  return ABOUT_ONE_ORDER.has(code);
}

/** Whether the next look may well succeed. */
export function isPassing({ retryable }: SwapctlError): boolean {
  return retryable;
}

/** Whether no other order could have been asked for either. */
export function isUnreachable({ code }: SwapctlError): boolean {
  return code === 'network_error' || code === 'timeout';
}

const ABOUT_ONE_ORDER: ReadonlySet<ErrorCode> = new Set([
  ...(['not_found', 'bad_response', 'rejected', 'validation_failed', 'service_error'] as const),
]);
