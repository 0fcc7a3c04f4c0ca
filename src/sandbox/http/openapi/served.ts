import { writeJson } from '../../../partner-api/json.ts';
import { stateRow } from '../../state/state-row.ts';
import type { Core } from '../core.ts';
import { examplesFrom } from './examples.ts';
import { openApiDocument } from './openapi.ts';

/** The OpenAPI document of a running server as text; its examples read the order that the next create will make. */
export async function servedDocument(
  { database, catalogue, pairs, orderNumbers, decisions }: Core,
  url: string,
): Promise<string> {
  const { orders_made } = await stateRow(database.kysely);
  const [orderNumber = ''] = orderNumbers.numbersFrom(orders_made + 1, 1);
  const examples = examplesFrom({ catalogue, pairs, orderNumber });
  return writeJson(
    openApiDocument({ url, habits: decisions.habits, choices: decisions.choices, examples }),
    2,
  );
}
