import { like, type Network, network, text } from './network.ts';

/** Bitcoin, its relatives, and others that keep their books in the same way. */
export const UTXO_CHAINS: readonly Network[] = [
  network('bitcoin', 'BTC BITCOIN XBT SEGWIT', 'Bitcoin', like('bc1q…, bc1p…, 1… or 3…')),
  network('bitcoin', 'LTC LITECOIN', 'Litecoin', like('ltc1q…, L… or M…')),
  network('bitcoin', 'DOGE DOGECOIN', 'Dogecoin', like('D…, A… or 9…')),
  network('bitcoin', 'DASH', 'Dash', like('X… or 7…')),
  network('bitcoin', 'BSV BITCOINSV', 'Bitcoin SV', like('1…')),
  network('bitcoin', 'OMNI', 'Omni on Bitcoin', like('1… or 3…')),
  network('bitcoin', 'DGB DIGIBYTE', 'DigiByte', like('dgb1q…, D… or S…')),
  network('bitcoin', 'RVN RAVENCOIN', 'Ravencoin', like('R… or r…')),
  network('bitcoin', 'QTUM', 'Qtum', like('Q…, M… or qc1q…')),
  network('bitcoin-cash', 'BCH BITCOINCASH', 'Bitcoin Cash', like('bitcoincash:q… or q…')),
  network('bitcoin-cash', 'XEC ECASH', 'eCash', like('ecash:q… or q…')),
  network('zcash', 'ZEC ZCASH', 'Zcash', like('t1… or t3…'), text('optional', 512)),
  network('kaspa', 'KAS KASPA', 'Kaspa', like('kaspa:q…')),
];
