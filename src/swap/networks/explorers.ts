import { findNetwork } from './networks.ts';

/** What a block explorer shows. */
export type ExplorerKind = 'transaction' | 'address';

/** Address of an explorer's page; `{}` stands for the transaction id or the address. Null where it has no such page. */
type Pages = readonly [transaction: string, address: string | null];

/** Explorers whose pages are `/tx/{}` and `/address/{}`, by the code of the network. */
const PLAIN: Readonly<Record<string, string>> = {
  BTC: 'https://mempool.space',
  LTC: 'https://litecoinspace.org',
  ETH: 'https://etherscan.io',
  ETC: 'https://etc.blockscout.com',
  BSC: 'https://bscscan.com',
  MATIC: 'https://polygonscan.com',
  ARBITRUM: 'https://arbiscan.io',
  OPTIMISM: 'https://optimistic.etherscan.io',
  BASE: 'https://basescan.org',
  AVAXC: 'https://snowtrace.io',
  SONIC: 'https://sonicscan.org',
  CRO: 'https://cronoscan.com',
  CELO: 'https://celoscan.io',
  LINEA: 'https://lineascan.build',
  SCROLL: 'https://scrollscan.com',
  BLAST: 'https://blastscan.io',
  GNOSIS: 'https://gnosisscan.io',
  OSMO: 'https://www.mintscan.io/osmosis',
  ATOM: 'https://www.mintscan.io/cosmos',
  TIA: 'https://www.mintscan.io/celestia',
};

const OTHERS: Readonly<Record<string, Pages>> = {
  BCH: [
    'https://blockchair.com/bitcoin-cash/transaction/{}',
    'https://blockchair.com/bitcoin-cash/address/{}',
  ],
  DOGE: ['https://blockchair.com/dogecoin/transaction/{}', 'https://blockchair.com/dogecoin/address/{}'],
  DASH: ['https://blockchair.com/dash/transaction/{}', 'https://blockchair.com/dash/address/{}'],
  ZEC: ['https://blockchair.com/zcash/transaction/{}', 'https://blockchair.com/zcash/address/{}'],
  TRX: ['https://tronscan.org/#/transaction/{}', 'https://tronscan.org/#/address/{}'],
  SOL: ['https://solscan.io/tx/{}', 'https://solscan.io/account/{}'],
  XRP: ['https://xrpscan.com/tx/{}', 'https://xrpscan.com/account/{}'],
  XLM: ['https://stellar.expert/explorer/public/tx/{}', 'https://stellar.expert/explorer/public/account/{}'],
  TON: ['https://tonviewer.com/transaction/{}', 'https://tonviewer.com/{}'],
  ADA: ['https://cardanoscan.io/transaction/{}', 'https://cardanoscan.io/address/{}'],
  DOT: ['https://polkadot.subscan.io/extrinsic/{}', 'https://polkadot.subscan.io/account/{}'],
  ALGO: ['https://allo.info/tx/{}', 'https://allo.info/account/{}'],
  NEAR: ['https://nearblocks.io/txns/{}', 'https://nearblocks.io/address/{}'],
  HBAR: ['https://hashscan.io/mainnet/transaction/{}', 'https://hashscan.io/mainnet/account/{}'],
  XTZ: ['https://tzkt.io/{}', 'https://tzkt.io/{}'],
  SUI: ['https://suiscan.xyz/mainnet/tx/{}', 'https://suiscan.xyz/mainnet/account/{}'],
  APT: ['https://explorer.aptoslabs.com/txn/{}', 'https://explorer.aptoslabs.com/account/{}'],
  FIL: ['https://filfox.info/en/message/{}', 'https://filfox.info/en/address/{}'],
  KAS: ['https://explorer.kaspa.org/txs/{}', 'https://explorer.kaspa.org/addresses/{}'],
  XMR: ['https://xmrchain.net/tx/{}', null],
};

/**
 * The page of a transaction or an address in the explorer of a network; null where none is known. `stored` has explorers
 * of the person's choice by network: each an address whose `/tx/…` and `/address/…` are the pages, or one with `{}` for a
 * transaction id.
 */
export function explorerUrl(
  network: string,
  kind: ExplorerKind,
  id: string,
  stored: (network: string) => string | null = () => null,
): string | null {
  const code = findNetwork(network)?.code ?? network.toUpperCase();
  const own = stored(code);
  const pages = own === null ? (OTHERS[code] ?? plainPages(PLAIN[code])) : ownPages(own);
  const page = kind === 'transaction' ? pages?.[0] : pages?.[1];
  // A function, since `$&` in a replacement has a meaning.
  return page == null ? null : page.replace('{}', () => encodeURIComponent(id));
}

function plainPages(base: string | undefined): Pages | undefined {
  return base === undefined ? undefined : [`${base}/tx/{}`, `${base}/address/{}`];
}

function ownPages(own: string): Pages | undefined {
  return own.includes('{}') ? [own, null] : plainPages(own.replace(/\/+$/, ''));
}
