import { secretReason } from './addresses/screen.ts';
import { secretKind } from './addresses/secrets.ts';
import type { MemoRule } from './networks/network.ts';
import { findNetwork } from './networks.ts';

/** A memo in its canonical form, or why it cannot be one. */
export type MemoVerdict =
  | { readonly ok: true; readonly memo: string }
  | { readonly ok: false; readonly reason: string };

// For networks whose memo swapctl knows nothing of.
const GENERIC: MemoRule = { need: 'optional', form: 'text', maxBytes: 256 };
const UINT32_MAX = 2n ** 32n - 1n;

/**
 * Tells whether a network takes a memo.
 * `required` means that it must be given or explicitly waived; `unknown` that swapctl does not know the network.
 */
export function memoPolicy(networkCode: string): 'none' | 'optional' | 'required' | 'unknown' {
  const network = findNetwork(networkCode);
  if (network === undefined) return 'unknown';
  return network.memo?.need ?? 'none';
}

/**
 * Checks the form of a memo: a canonical uint32 tag on the XRP Ledger, text of limited UTF-8 bytes elsewhere.
 * Control, invisible and unpaired characters and spaces at the ends are refused, and so is any memo on a network
 * that has none, unless the service's catalogue says that it needs one (`memoNeeded`).
 */
export function checkMemo(
  networkCode: string,
  memo: string,
  { memoNeeded = false }: { readonly memoNeeded?: boolean } = {},
): MemoVerdict {
  const network = findNetwork(networkCode);
  if (network?.memo === null && !memoNeeded) return refuse(`${network.name} has no memo.`);
  const rule = network?.memo ?? GENERIC;
  if (memo === '') return refuse('The memo is empty.');
  if (rule.form === 'xrp-tag') return checkTag(memo);
  // A hash or return memo of Stellar is 32 bytes in hexadecimal; ids and texts fit into 28 bytes.
  if (rule.form === 'stellar' && /^[0-9a-f]{64}$/i.test(memo)) return { ok: true, memo: memo.toLowerCase() };
  return checkText(memo, rule.maxBytes);
}

function checkTag(memo: string): MemoVerdict {
  if (!/^(0|[1-9]\d{0,9})$/.test(memo) || BigInt(memo) > UINT32_MAX) {
    return refuse(
      'A destination tag is a whole number from 0 to 4294967295, without signs or leading zeros.',
    );
  }
  return { ok: true, memo };
}

function checkText(memo: string, maxBytes: number): MemoVerdict {
  if (/^\s|\s$/.test(memo)) return refuse('The memo has a space at its beginning or end.');
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(memo)) {
    return refuse('The memo has a control character or another one that cannot be seen.');
  }
  if (new TextEncoder().encode(memo).length > maxBytes) {
    return refuse(`The memo is longer than ${maxBytes} bytes in UTF-8.`);
  }
  const secret = secretKind(memo);
  return secret === undefined ? { ok: true, memo } : refuse(secretReason(secret, 'a memo'));
}

function refuse(reason: string): MemoVerdict {
  return { ok: false, reason };
}
