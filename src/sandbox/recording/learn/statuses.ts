import { ENDPOINTS } from '../../../partner-api/endpoints.ts';
import { CREATED_STATUS, OK_STATUS } from '../../state/assumptions.ts';
import type { Exchange } from './exchange.ts';
import type { Findings } from './result.ts';
import { jsonNumber } from './result.ts';

/** A call that shows how a changed refund address is answered. */
export const UPDATE_CALL = 'swapctl refund <order> <address>';

const STATUSES = {
  GET: ['status of a read', 'readStatus', OK_STATUS, 'any read'],
  POST: ['status of a create', 'createStatus', CREATED_STATUS, 'a create: swapctl conformance --write'],
  PATCH: ['status of a changed refund address', 'updateStatus', OK_STATUS, UPDATE_CALL],
} as const;

/** Learns the HTTP statuses of success. */
export class StatusesSeen {
  readonly #statuses = new Map<keyof typeof STATUSES, number>();

  see({ endpoint, ok, status }: Exchange): void {
    const { method } = ENDPOINTS[endpoint];
    if (ok && !this.#statuses.has(method)) this.#statuses.set(method, status);
  }

  tell(findings: Findings): void {
    for (const [method, [point, name, plain, call]] of Object.entries(STATUSES)) {
      const status = this.#statuses.get(method as keyof typeof STATUSES);
      if (status === undefined) findings.lacks(point, call);
      else
        findings.decides(point, {
          name,
          value: jsonNumber(status),
          words: String(status),
          isPlain: status === plain,
        });
    }
  }
}
