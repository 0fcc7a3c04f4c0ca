import type { Entry } from '../../ledger/entry.ts';
import { agreementOf } from '../../ledger/entry.ts';
import { doubtsOf, findingsOf } from '../../swap/agreement/agreement.ts';

/** Doubts about an entry when it was last seen; of one that an older version wrote, which did not look for any, anew. */
export async function doubtsIn(entry: Entry): Promise<readonly string[]> {
  if (entry.doubts !== null) return entry.doubts;
  if (entry.swap === null) return [];
  return doubtsOf(await findingsOf(agreementOf(entry), entry.swap));
}
