import { type CommandShape, LEDGER, lines, one } from '../../operations/operations.ts';
import {
  about,
  BOOLEAN,
  nullable,
  object,
  oneOf,
  TEXT,
  TEXT_OR_NULL,
  TEXTS,
} from '../../operations/schema.ts';
import type { AddressResult } from '../../views/address.ts';

export const ADDRESS_SHAPE: CommandShape = {
  operations: {
    address: { result: [one('address'), lines('address')], exitCodes: LEDGER },
  },
  shapes: {
    address: object<AddressResult>({
      network: TEXT,
      address: TEXT,
      valid: about(nullable(BOOLEAN), 'payable on the main network; null where that cannot be verified'),
      verdict: oneOf('valid', 'unverified', 'invalid'),
      testnet: nullable(BOOLEAN),
      kind: TEXT_OR_NULL,
      canonical: TEXT_OR_NULL,
      memo: TEXT_OR_NULL,
      warnings: TEXTS,
      reason: TEXT_OR_NULL,
    }),
  },
};
