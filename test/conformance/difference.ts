import type { EndpointName } from '../../src/core/partner-api/endpoints.ts';
import type { SeenRequest } from '../helpers/raw-server.ts';
import type { Alteration, RequestChange } from './altering-server.ts';
import { inBody, refusal, refused } from './altering-server.ts';

/** What the checks report of a difference. */
interface Reported {
  /** The checks that must find it. */
  readonly differs: readonly string[];
  /** Checks that are skipped because of it. */
  readonly skipped?: readonly string[];
  /** What the first check reports. */
  readonly found?: string;
}

/** One respect in which a service differs. */
export interface Difference extends Reported {
  readonly alter: Alteration;
  readonly change?: RequestChange;
  readonly write?: boolean;
}

/** An undocumented error. */
export const WORDS = refused(400, 'this is wrong');

/** A validation error with messages. */
export function invalid(...message: string[]) {
  const text = JSON.stringify({ statusCode: 400, message, error: 'Bad Request' });
  return { ...refused(400, ''), text };
}

/** The checks of an endpoint by their names; others are given with their endpoint. */
const checksOf = (endpoint: EndpointName, checks: readonly string[]) =>
  checks.map((check) => (check.includes(': ') ? check : `${endpoint}: ${check}`));

/** A function for differences in the successful responses of an endpoint. */
export function differing(endpoint: EndpointName, write: boolean) {
  return (
    { differs, skipped = [], ...rest }: Reported,
    change: Parameters<typeof inBody>[1],
  ): Difference => ({
    write,
    alter: inBody(endpoint, change),
    differs: checksOf(endpoint, differs),
    skipped: checksOf(endpoint, skipped),
    ...rest,
  });
}

/** A function for errors of an endpoint that have another status or message, which its first check reports. */
export function refusing(endpoint: EndpointName, write: boolean) {
  return (
    at: readonly [status: number, text: string],
    [status, message]: readonly [status: number, message: string],
    differs: readonly string[],
    isMeant?: (seen: SeenRequest) => boolean,
  ): Difference => ({
    write,
    alter: refusal(endpoint, at, refused(status, message), isMeant),
    differs: checksOf(endpoint, differs),
    found: `${status} ${message}`,
  });
}
