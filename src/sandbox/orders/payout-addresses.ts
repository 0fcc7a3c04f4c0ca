import { checkAddress } from '../../swap/addresses/check.ts';

const MAX_ADDRESSES = 1000;

/** Checks payout addresses and caches the valid ones: customers swap to the same address again and again. */
export class PayoutAddresses {
  readonly #good = new Set<string>();

  /**
   * Whether the service would pay to an address. Addresses of main and test networks are both accepted, because nothing
   * is really paid.
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
