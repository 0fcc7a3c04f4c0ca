import { type CommandShape, LEDGER, lines, one } from '../../operations/operations.ts';
import * as is from '../../operations/schema.ts';
import type { AddressResult } from '../shared/addresses/verdict.ts';

export const ADDRESS_SHAPE: CommandShape = {
  operations: { address: { result: [one('address'), lines('address')], exitCodes: LEDGER } },
  shapes: {
    address: is.object<AddressResult>({
      network: is.TEXT,
      address: is.TEXT,
      valid: is.about(
        is.nullable(is.BOOLEAN),
        'payable on the main network; null where that cannot be verified',
      ),
      verdict: is.oneOf('valid', 'unverified', 'invalid'),
      testnet: is.nullable(is.BOOLEAN),
      kind: is.TEXT_OR_NULL,
      canonical: is.TEXT_OR_NULL,
      memo: is.TEXT_OR_NULL,
      warnings: is.TEXTS,
      reason: is.TEXT_OR_NULL,
    }),
  },
};
