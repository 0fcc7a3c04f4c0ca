import { ENDPOINT_NAMES } from '../../../core/partner-api/endpoints.ts';
import { and, type CommandShape, READS } from '../../operations/operations.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

export const API_SHAPE: CommandShape = {
  operations: {
    api: {
      result: [],
      exitCodes: and(READS, 7, 10, 12),
      values: { endpoint: ENDPOINT_NAMES, '--method': METHODS },
      changes: 'service',
    },
  },
  shapes: {},
};
