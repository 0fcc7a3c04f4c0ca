import type { Environment } from './swap.ts';

/** An environment as people are shown it: `LIVE` in capitals, since there real money moves. */
export function environmentWord(environment: Environment): 'LIVE' | 'sandbox' {
  return environment === 'live' ? 'LIVE' : 'sandbox';
}
