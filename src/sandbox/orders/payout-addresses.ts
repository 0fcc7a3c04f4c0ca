import { checkAddress } from '../../swap/addresses/check.ts';

const MAX_ADDRESSES = 1000;

/** Judges payout addresses and remembers the good ones: customers swap to the same address again and again. */
export class PayoutAddresses {
  readonly #good = new Set<string>();

  /**
   * Whether the service would pay to an address. Both the main network's and a test network's are good here, for
   * nothing is paid really.
   */
  async isPayable(network: string, address: string): Promise<boolean> {
    const key = `${network} ${address}`;
    if (this.#good.has(key)) return true;
    const verdict = await checkAddress(network, address);
    if (!verdict.ok || verdict.unspendable === true) return false;
    if (this.#good.size >= MAX_ADDRESSES) this.#good.clear();
    this.#good.add(key);
    return true;
  }
}
