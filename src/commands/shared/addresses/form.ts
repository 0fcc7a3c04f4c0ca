import { checkAddress } from '../../../swap/addresses/check.ts';
import { shown } from '../../../text.ts';

/** Break before an address, which gets a line of its own to be seen and edited in one piece. */
export const OWN_LINE = shown`\n `;

/** The form of a network's addresses, to stand behind a question; empty where it is not known. */
export async function formOf(network: string): Promise<string> {
  const empty = await checkAddress(network, '');
  return !empty.ok && empty.expected !== undefined ? `, ${empty.expected}` : '';
}
