import type { Kysely } from 'kysely';
import { isEndpointName } from '../../partner-api/endpoints.ts';
import type { RequestTable, SandboxSchema } from '../state/schema.ts';
import { type LoggedRequest, MAX_REQUESTS, type RequestFilter } from './request.ts';

/** The one row that counts requests. */
const COUNT_ID = 1;

/**
 * Adds requests in a transaction and removes those that are too many. The counter's row is locked until the end, so
 * that ids become visible in their order and a follower misses none.
 *
 * @param passed requests before these that a server did not keep; they leave a gap in the ids
 */
export async function insertRequests(
  tx: Kysely<SandboxSchema>,
  requests: readonly Omit<LoggedRequest, 'id'>[],
  passed = 0,
): Promise<void> {
  const { made } = await tx
    .updateTable('sandbox_request_counts')
    .set((eb) => ({ made: eb('made', '+', requests.length + passed) }))
    .where('id', '=', COUNT_ID)
    .returning('made')
    .executeTakeFirstOrThrow();
  const first = made - requests.length + 1;
  await tx
    .insertInto('sandbox_requests')
    .values(requests.map((request, index) => ({ id: first + index, ...request })))
    .execute();
  await tx
    .deleteFrom('sandbox_requests')
    .where('id', '<=', made - MAX_REQUESTS)
    .execute();
}

/** The requests that are wanted, oldest first. */
export async function listRequests(
  db: Kysely<SandboxSchema>,
  { endpoint, partner, status, after, limit = MAX_REQUESTS }: RequestFilter,
): Promise<readonly LoggedRequest[]> {
  let query = db.selectFrom('sandbox_requests').selectAll();
  if (endpoint !== undefined) query = query.where('endpoint', '=', endpoint);
  if (partner !== undefined) query = query.where('partner', '=', partner);
  if (status !== undefined) query = query.where('status', '>=', status[0]).where('status', '<=', status[1]);
  if (after !== undefined) query = query.where('id', '>', after);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.reverse().map(requestOf);
}

/** Removes all requests; the ids go on. */
export async function clearRequests(tx: Kysely<SandboxSchema>): Promise<void> {
  await tx.deleteFrom('sandbox_requests').execute();
}

function requestOf(row: RequestTable): LoggedRequest {
  const { endpoint } = row;
  return { ...row, endpoint: endpoint !== null && isEndpointName(endpoint) ? endpoint : null };
}
