/** Which file of `addresses/` reads the addresses of a network. */
export type Family =
  | 'algorand'
  | 'bech32'
  | 'bitcoin'
  | 'bitcoin-cash'
  | 'cardano'
  | 'eos'
  | 'evm'
  | 'filecoin'
  | 'hedera'
  | 'internet-computer'
  | 'kaspa'
  | 'monero'
  | 'move'
  | 'nano'
  | 'near'
  | 'solana'
  | 'stellar'
  | 'substrate'
  | 'tezos'
  | 'ton'
  | 'tron'
  | 'xrp'
  | 'zcash';

/**
 * What a network takes beside an address.
 * `required` means that a payout without one usually cannot be credited; `maxBytes` counts UTF-8 bytes.
 */
export interface MemoRule {
  readonly need: 'required' | 'optional';
  readonly form: 'xrp-tag' | 'stellar' | 'text';
  readonly maxBytes: number;
}

/**
 * One network of the table: the canonical code and what is known of its addresses and memos.
 * `family` is null where only the memo is known; `memo` is null where the network has none;
 * `expected` completes "expected …" in a question or an error.
 */
export interface Network {
  readonly code: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly family: Family | null;
  readonly memo: MemoRule | null;
  readonly expected: string;
}

const text = (need: MemoRule['need'], maxBytes: number): MemoRule => ({ need, form: 'text', maxBytes });

function network(
  family: Family | null,
  codes: string,
  name: string,
  expected: string,
  memo: MemoRule | null = null,
): Network {
  const [code = '', ...aliases] = codes.split(' ');
  return { code, name, aliases, family, memo, expected };
}

const like = (forms: string): string => `an address such as ${forms}`;

const evm = (codes: string, name: string): Network =>
  network('evm', codes, name, '0x and 40 hexadecimal digits');

// SDK chains limit memos to 256 characters by default (docs.cosmos.network, auth parameters).
const cosmos = (codes: string, name: string, prefix: string, need: MemoRule['need'] = 'optional'): Network =>
  network('bech32', codes, name, like(`${prefix}1…`), text(need, 256));

const UTXO: readonly Network[] = [
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

const EVM: readonly Network[] = [
  evm('ETH ERC20 ETHEREUM', 'Ethereum'),
  evm('ETC ETHEREUMCLASSIC', 'Ethereum Classic'),
  evm('BSC BEP20 BNB BNBCHAIN BNBSMARTCHAIN BINANCESMARTCHAIN', 'BNB Smart Chain'),
  evm('MATIC POLYGON POL', 'Polygon'),
  evm('ARBITRUM ARB ARBITRUMONE ARBONE', 'Arbitrum One'),
  evm('OPTIMISM OP OPETH', 'Optimism'),
  evm('BASE BASEEVM', 'Base'),
  evm('AVAXC AVAX AVALANCHE AVALANCHEC AVAXCCHAIN CCHAIN', 'Avalanche C-Chain'),
  evm('FTM FANTOM', 'Fantom'),
  evm('SONIC S', 'Sonic'),
  evm('CRO CRONOS CRC20', 'Cronos'),
  evm('CELO', 'Celo'),
  evm('ZKSYNC ZKSYNCERA ZKERA', 'zkSync Era'),
  evm('LINEA', 'Linea'),
  evm('OPBNB', 'opBNB'),
  evm('SCROLL', 'Scroll'),
  evm('BLAST', 'Blast'),
  evm('MANTLE MNT', 'Mantle'),
  evm('MANTA MANTAETH', 'Manta Pacific'),
  evm('METIS', 'Metis'),
  evm('GNOSIS GNO XDAI', 'Gnosis'),
  evm('GLMR MOONBEAM', 'Moonbeam'),
  evm('MOVR MOONRIVER', 'Moonriver'),
  evm('KLAY KLAYTN KAIA', 'Kaia'),
  evm('FLR FLARE', 'Flare'),
  evm('CORE COREDAO', 'Core'),
  evm('BERA BERACHAIN', 'Berachain'),
  evm('PLS PULSECHAIN', 'PulseChain'),
  evm('ETHW', 'EthereumPoW'),
  evm('AURORA', 'Aurora'),
  evm('TAIKO', 'Taiko'),
  evm('MODE', 'Mode'),
  evm('UNICHAIN', 'Unichain'),
  evm('WORLDCHAIN', 'World Chain'),
  evm('HYPEREVM HYPE', 'HyperEVM'),
  evm('MONAD MON', 'Monad'),
  evm('PLASMA XPL', 'Plasma'),
  evm('SEIEVM', 'Sei EVM'),
  evm('KAVAEVM', 'Kava EVM'),
];

const COSMOS: readonly Network[] = [
  cosmos('ATOM COSMOS COSMOSHUB', 'Cosmos Hub', 'cosmos', 'required'),
  cosmos('OSMO OSMOSIS', 'Osmosis', 'osmo'),
  cosmos('TIA CELESTIA', 'Celestia', 'celestia'),
  cosmos('SEI', 'Sei', 'sei'),
  cosmos('INJ INJECTIVE', 'Injective', 'inj'),
  cosmos('JUNO', 'Juno', 'juno'),
  cosmos('SCRT SECRET', 'Secret Network', 'secret'),
  cosmos('AKT AKASH', 'Akash', 'akash'),
  cosmos('AXL AXELAR', 'Axelar', 'axelar'),
  cosmos('RUNE THOR THORCHAIN', 'THORChain', 'thor'),
  cosmos('CACAO MAYA MAYACHAIN', 'Maya Protocol', 'maya'),
  cosmos('LUNA TERRA', 'Terra', 'terra'),
  cosmos('LUNC TERRACLASSIC', 'Terra Classic', 'terra'),
  cosmos('KAVA', 'Kava', 'kava'),
  cosmos('DYDX', 'dYdX', 'dydx'),
  cosmos('NTRN NEUTRON', 'Neutron', 'neutron'),
  cosmos('STRD STRIDE', 'Stride', 'stride'),
  cosmos('DYM DYMENSION', 'Dymension', 'dym'),
  cosmos('SAGA', 'Saga', 'saga'),
  cosmos('STARS STARGAZE', 'Stargaze', 'stars'),
  cosmos('NOBLE', 'Noble', 'noble'),
];

const OTHERS: readonly Network[] = [
  network('tron', 'TRX TRC20 TRON', 'TRON', like('T…')),
  network('solana', 'SOL SPL SOLANA', 'Solana', '32 to 44 base58 characters', text('optional', 256)),
  network('xrp', 'XRP RIPPLE XRPL', 'XRP Ledger', like('r… or X…'), {
    need: 'required',
    form: 'xrp-tag',
    maxBytes: 10,
  }),
  network('stellar', 'XLM STELLAR', 'Stellar', like('G… or M…'), {
    need: 'required',
    form: 'stellar',
    maxBytes: 28,
  }),
  // 120 bytes is what Ledger signs; Edge takes 127.
  network('ton', 'TON TONCOIN THEOPENNETWORK', 'TON', like('UQ… or EQ…'), text('required', 120)),
  network('cardano', 'ADA CARDANO', 'Cardano', like('addr1…, Ae2… or Ddz…')),
  network('substrate', 'DOT POLKADOT ASSETHUB POLKADOTASSETHUB STATEMINT', 'Polkadot', like('1…')),
  network('substrate', 'KSM KUSAMA', 'Kusama', like('C… to J…')),
  network('monero', 'XMR MONERO', 'Monero', like('4… or 8…')),
  // eosio.token refuses a transfer with: memo has more than 256 bytes.
  network('eos', 'EOS VAULTA', 'EOS', 'a name of up to 12 letters and digits 1-5', text('required', 256)),
  network('eos', 'WAX WAXP', 'WAX', 'a name of up to 12 letters and digits 1-5', text('optional', 256)),
  network('eos', 'TLOS TELOS', 'Telos', 'a name of up to 12 letters and digits 1-5', text('optional', 256)),
  network('hedera', 'HBAR HEDERA', 'Hedera', like('0.0.12345 or 0.0.12345-abcde'), text('required', 100)),
  network('algorand', 'ALGO ALGORAND', 'Algorand', '58 capitals and digits 2-7', text('optional', 1000)),
  network('filecoin', 'FIL FILECOIN', 'Filecoin', like('f1…, f3… or f410f…')),
  network('nano', 'XNO NANO', 'Nano', like('nano_1… or nano_3…')),
  network('nano', 'BAN BANANO', 'Banano', like('ban_1… or ban_3…')),
  network('near', 'NEAR', 'NEAR', like('alice.near or 64 hexadecimal digits')),
  network('bech32', 'EGLD MULTIVERSX ELROND', 'MultiversX', like('erd1…')),
  network('bech32', 'ZIL ZILLIQA', 'Zilliqa', like('zil1…')),
  network('tezos', 'XTZ TEZOS', 'Tezos', like('tz1… or KT1…')),
  network('move', 'SUI', 'Sui', '0x and 64 hexadecimal digits'),
  network('move', 'APT APTOS', 'Aptos', '0x and 64 hexadecimal digits'),
  network('move', 'MOVE MOVEMENT', 'Movement', '0x and 64 hexadecimal digits'),
  network('move', 'IOTA', 'IOTA', '0x and 64 hexadecimal digits'),
  network('internet-computer', 'ICP DFINITY', 'Internet Computer', '64 hexadecimal digits'),
  network(null, 'STX STACKS', 'Stacks', like('SP…'), text('optional', 34)),
  network(null, 'HIVE', 'Hive', 'an account name', text('optional', 256)),
  network(null, 'STEEM', 'Steem', 'an account name', text('optional', 256)),
];

/** Every network swapctl knows, by canonical code; a code that is not here is a network without a family. */
export const NETWORKS: readonly Network[] = [...UTXO, ...EVM, ...COSMOS, ...OTHERS];

const BY_CODE: ReadonlyMap<string, Network> = new Map(
  NETWORKS.flatMap((entry) => [entry.code, ...entry.aliases].map((code) => [code, entry] as const)),
);

/**
 * Finds the network that a service's code means, in any case: `ERC20` is Ethereum, `bep-20` BNB Smart Chain.
 * Spaces, hyphens, underscores, dots and brackets in the code do not count.
 */
export function findNetwork(code: string): Network | undefined {
  return BY_CODE.get(code.toUpperCase().replace(/[\s_.()-]/g, ''));
}
