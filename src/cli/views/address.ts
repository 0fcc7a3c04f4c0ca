import type { View } from '../terminal/streams.ts';
import { detailsView } from './columns.ts';

/** Verdict on an address: payable, refused, or on a listed network whose rules swapctl does not know. */
type Verdict = 'valid' | 'unverified' | 'invalid';

/** The verdict on an address; `valid` means payable on the main network, and is null if that cannot be verified. */
export interface AddressResult {
  readonly network: string;
  readonly address: string;
  readonly valid: boolean | null;
  readonly verdict: Verdict;
  readonly testnet: boolean | null;
  readonly kind: string | null;
  /** The form in which it is sent. */
  readonly canonical: string | null;
  /** The memo given, or the one found inside the address. */
  readonly memo: string | null;
  readonly warnings: readonly string[];
  readonly reason: string | null;
}

/** One verdict: a sheet on a terminal, one line of cells in a pipe. */
export function addressView(result: AddressResult): View {
  const { network, address, verdict, testnet, kind, canonical, memo, warnings, reason } = result;
  return detailsView(
    result,
    (style) => [
      [
        { valid: 'Valid', unverified: 'Not verified', invalid: 'Invalid' }[verdict],
        `on ${network}`,
        { valid: style.green, unverified: style.yellow, invalid: style.red }[verdict],
      ],
      ['Reason', reason, undefined, 'prose'],
      ['Kind', kind],
      ['Address', canonical ?? address, style.cyan],
      ['Memo', memo, style.cyan],
      ...warnings.map((warning) => ['Warning', warning, style.yellow, 'prose'] as const),
    ],
    () => [
      [
        ...[network, address, verdict, testnet === true ? 'testnet' : '', kind, canonical, memo],
        ...[warnings.join(' '), reason],
      ],
    ],
  );
}
