import { checkAddress } from '../../../swap/addresses/check.ts';
import { shown } from '../../../text.ts';

/** Break before an address, which gets a line of its own to be seen and edited in one piece. */
export const OWN_LINE = shown`\n `;

/** Notes behind a question for an address, with the form of the network's addresses where it is known. */
export async function formOf(network: string, ...notes: readonly string[]): Promise<string> {
  const empty = await checkAddress(network, '');
  const form = !empty.ok && empty.expected !== undefined ? [empty.expected] : [];
  const words = [...notes, ...form].join(', ');
  return words === '' ? '' : ` (${words})`;
}
