import { type ExplorerKind, explorerUrl } from '../swap/networks/explorers.ts';
import type { Environment } from '../swap/swap.ts';
import { linkTo, type Style } from '../terminal/style.ts';
import type { Visible } from '../text.ts';

/**
 * Makes a transaction or an address of a live swap a link to its network's explorer, where the terminal shows links; the
 * text itself stays as it is. No explorer knows those of a sandbox.
 */
export function linkPaint(
  { links }: Style,
  { environment }: { readonly environment: Environment },
  { network }: { readonly network: string | null },
  kind: ExplorerKind,
  paint: (text: Visible) => Visible = (text) => text,
): (text: Visible) => Visible {
  if (links === null || environment !== 'live' || network === null) return paint;
  return (text) => {
    const url = explorerUrl(network, kind, text, links);
    return url === null || !PRINTABLE.test(url) ? paint(text) : linkTo(url, paint(text));
  };
}

/** A stored explorer may have been changed by hand. */
const PRINTABLE = /^https?:\/\/[!-~]+$/;
