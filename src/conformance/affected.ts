import type { EndpointName } from '../partner-api/endpoints.ts';
import type { Check, Decision } from './check.ts';

/** Commands of swapctl that send a request to an endpoint. */
const COMMANDS: Readonly<Record<EndpointName, readonly string[]>> = {
  'get-all-coins': ['coins', 'networks', 'quote', 'create'],
  'get-coin-network': ['networks'],
  'exchange-coin': ['quote', 'create'],
  'get-transaction': ['status', 'refund'],
  'create-transaction': ['create'],
  'update-refund-address': ['refund'],
};

/** Commands that behave differently where a decision differs; other commands do not rely on it. */
const BY_DECISION: Readonly<Record<Decision, readonly string[]>> = {
  'network codes': [],
  'success code': [],
  'page, limit': COMMANDS['get-all-coins'],
  '`method` left out': [],
  'payload for update-refund-address': COMMANDS['update-refund-address'],
  "payload naming another endpoint than the path's": [],
  'order of the checks': [],
  'order number': [],
  'times, duration': ['status'],
  numbers: [],
  'amounts of a coin': ['quote', 'create'],
  'largest amount': ['quote', 'create'],
  'networks left out in a quote': ['quote'],
  'case of codes in create': [],
  'memo where memoNeeded': ['create'],
  'depositAmount under lastSource=receive': ['create'],
  'undocumented fields': [],
  'unknown pair or network': ['quote', 'create'],
  'rate limit': ['status'],
  fees: ['quote', 'create'],
  'refund address in which states': ['refund'],
  'validation texts': [],
  'body size, header size': [],
};

/** Commands of swapctl that a difference affects. No command relies on a decision without a name. */
export function affectedCommands({
  basis,
  decision,
  endpoint,
}: Pick<Check, 'basis' | 'endpoint'> & { readonly decision: Decision | null }): readonly string[] {
  if (basis === 'assumed') return decision === null ? [] : BY_DECISION[decision];
  return endpoint === 'all' ? [...new Set(Object.values(COMMANDS).flat())] : COMMANDS[endpoint];
}
