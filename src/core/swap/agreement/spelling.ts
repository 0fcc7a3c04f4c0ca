import type { AddressVerdict } from '../addresses/parsed-address.ts';
import { isTwelveWords, SEED_PHRASE } from '../secret-forms.ts';

/** Whether an answered code is the requested one, in any case. */
export function sameCode(answered: string, asked: string): boolean {
  return answered.toLowerCase() === asked.toLowerCase();
}

/** Whether an answer names another code than the requested one; an answer that names none does not. */
export function isOtherCode(answered: string | null, asked: string): boolean {
  return answered !== null && !sameCode(answered, asked);
}

/** Whether a service's spelling of an address means the one that was sent, by the rules of its network. */
export async function sameAddress(network: string, answered: string, sent: string): Promise<boolean> {
  if (answered === sent) return true;
  const hexadecimal = /^0x[0-9a-f]+$/i;
  if (hexadecimal.test(answered) && hexadecimal.test(sent))
    return answered.toLowerCase() === sent.toLowerCase();
  const [a, b] = [await addressVerdict(network, answered), await addressVerdict(network, sent)];
  if (!a.ok || !b.ok || hiddenMemo(a) !== hiddenMemo(b)) return false;
  return a.canonical === b.canonical;
}

/** Checks an address by the rules of its network, which are much code: loaded with the first address. */
export async function addressVerdict(network: string, address: string): Promise<AddressVerdict> {
  const { checkAddress } = await import('../addresses/check.ts');
  return checkAddress(network, address);
}

/** No address that has several spellings is shorter or longer, in characters. */
const [MIN_ADDRESS, MAX_ADDRESS] = [24, 256];

/** The canonical spellings of a text on every known network of which it is an address; none for any other text. */
export async function addressSpellings(text: string): Promise<readonly string[]> {
  if (text.length < MIN_ADDRESS || text.length > MAX_ADDRESS || !/^[\x21-\x7e]+$/.test(text)) return [];
  const { canonicalSpellings } = await import('../addresses/other-network.ts');
  return canonicalSpellings(text);
}

/** Names the secret in a text that should be one word; undefined for none. Loaded late, as the rules of addresses are. */
export async function secretInText(text: string): Promise<string | undefined> {
  if (isTwelveWords(text)) return SEED_PHRASE;
  const { secretInside } = await import('../addresses/secrets.ts');
  return secretInside(text);
}

/** The memo that an address holds inside, or null. */
export function hiddenMemo(address: { readonly tag?: string; readonly memoId?: string }): string | null {
  return address.tag ?? address.memoId ?? null;
}

const MAX_SHOWN = 256;

/** A text of the service for a sentence; one that is too long for an address is replaced by its length. */
export function shortenServiceText(text: string): string {
  return text.length <= MAX_SHOWN ? text : `a text of ${text.length} characters`;
}
