import { secretInside, secretReason } from './addresses/secrets.ts';
import { findNetwork, type MemoRule } from './networks/networks.ts';

/** A memo in its canonical form, or the reason for refusing it: a sentence that never repeats the memo. */
export type MemoVerdict =
  | { readonly ok: true; readonly memo: string }
  | { readonly ok: false; readonly reason: string };

// For networks whose memo rules are unknown.
const GENERIC: MemoRule = { need: 'optional', form: 'text', maxBytes: 256 };
const ENCRYPTED = 'Wallets encrypt a memo that begins with #, so the recipient may not be able to read it.';
const UINT32_MAX = 2n ** 32n - 1n;

/** How a network takes memos: `required` ones must be given or waived; `unknown` for an unknown network. */
export function memoPolicy(networkCode: string): 'none' | 'optional' | 'required' | 'unknown' {
  const network = findNetwork(networkCode);
  if (network === undefined) return 'unknown';
  return network.memo?.need ?? 'none';
}

/** Names the seed phrase or key in a memo, with its article; undefined if none. On Stellar, a hash is no key. */
export async function secretInMemo(networkCode: string, memo: string): Promise<string | undefined> {
  return isStellarHash(findNetwork(networkCode)?.memo, memo) ? undefined : secretInside(memo);
}

/**
 * Checks the form of a memo: a canonical uint32 tag on the XRP Ledger, text of limited UTF-8 bytes on other networks.
 * Refuses seed phrases, private keys, control, invisible and unpaired characters, and spaces at the ends. Refuses any
 * memo on a network that has none, unless the service's catalogue says that it needs one (`memoNeeded`).
 */
export async function checkMemo(
  networkCode: string,
  memo: string,
  { memoNeeded = false }: { readonly memoNeeded?: boolean } = {},
): Promise<MemoVerdict> {
  const secret = await secretInMemo(networkCode, memo);
  if (secret !== undefined) return refuse(secretReason(secret, 'a memo'));
  return checkForm(networkCode, memo, memoNeeded);
}

function checkForm(networkCode: string, memo: string, memoNeeded: boolean): MemoVerdict {
  const network = findNetwork(networkCode);
  if (network?.memo === null && !memoNeeded) return refuse(`${network.name} has no memo.`);
  const rule = network?.memo ?? GENERIC;
  if (memo === '') return refuse('The memo is empty.');
  if (rule.form === 'xrp-tag') return checkTag(memo);
  if (isStellarHash(rule, memo)) return { ok: true, memo: memo.toLowerCase() };
  if (rule.form === 'graphene' && memo.startsWith('#')) return refuse(ENCRYPTED);
  return checkText(memo, rule.maxBytes);
}

/** A hash or return memo of Stellar is 32 bytes in hexadecimal; ids and texts fit into 28 bytes. */
function isStellarHash(rule: MemoRule | null | undefined, memo: string): boolean {
  return rule?.form === 'stellar' && /^[0-9a-f]{64}$/i.test(memo);
}

function checkTag(memo: string): MemoVerdict {
  if (!/^(0|[1-9]\d{0,9})$/.test(memo) || BigInt(memo) > UINT32_MAX)
    return refuse(
      'A destination tag is a whole number from 0 to 4294967295, without signs or leading zeros.',
    );
  return { ok: true, memo };
}

function checkText(memo: string, maxBytes: number): MemoVerdict {
  if (/^\s|\s$/.test(memo)) return refuse('The memo has a space at its beginning or end.');
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(memo))
    return refuse('The memo has a control character or another one that cannot be seen.');
  if (new TextEncoder().encode(memo).length > maxBytes)
    return refuse(`The memo is longer than ${maxBytes} bytes in UTF-8.`);
  return { ok: true, memo };
}

function refuse(reason: string): MemoVerdict {
  return { ok: false, reason };
}
