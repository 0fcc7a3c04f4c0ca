import { like, type MemoRule, type Network, network, text } from './network.ts';

/** Bitcoin, its relatives, and other chains of unspent outputs. BRC20, RUNES and KRC20 are vague: assets on a chain. */
export const utxoChains = (): readonly Network[] => [
  network('bitcoin', 'BTC BITCOIN XBT SEGWIT ~BRC20 ~RUNES', 'Bitcoin', like('bc1q…, bc1p…, 1… or 3…')),
  network('bitcoin', 'LTC LITECOIN', 'Litecoin', like('ltc1q…, L… or M…')),
  network('bitcoin', 'DOGE DOGECOIN', 'Dogecoin', like('D…, A… or 9…')),
  network('bitcoin', 'DASH', 'Dash', like('X… or 7…')),
  network('bitcoin', 'BSV BITCOINSV', 'Bitcoin SV', like('1…')),
  network('bitcoin', 'OMNI', 'Omni on Bitcoin', like('1… or 3…')),
  network('bitcoin', 'DGB DIGIBYTE', 'DigiByte', like('dgb1q…, D… or S…')),
  network('bitcoin', 'RVN RAVENCOIN', 'Ravencoin', like('R… or r…')),
  network('bitcoin', 'QTUM', 'Qtum', like('Q…, M… or qc1q…')),
  network('groestlcoin', 'GRS GROESTLCOIN', 'Groestlcoin', like('grs1q…, F… or 3…')),
  network('bitcoin', 'BTG BITCOINGOLD', 'Bitcoin Gold', like('btg1q…, G… or A…')),
  network('bitcoin', 'VTC VERTCOIN', 'Vertcoin', like('vtc1q…, V… or 3…')),
  network('bitcoin', 'FIRO ZCOIN XZC', 'Firo', like('a… or EXX…')),
  network('decred', 'DCR DECRED', 'Decred', like('Ds… or Dc…')),
  network('bitcoin', 'ZEN HORIZEN', 'Horizen', like('zn… or zs…')),
  network('bitcoin', 'KMD KOMODO', 'Komodo', like('R… or b…')),
  network('bitcoin', 'PIVX', 'PIVX', like('D… or 6…')),
  network('bitcoin', 'XVG VERGE', 'Verge', like('D… or E…')),
  network('bitcoin', 'SYS SYSCOIN', 'Syscoin', like('sys1q…, S… or 3…')),
  network('bitcoin', 'PPC PEERCOIN', 'Peercoin', like('pc1q…, P… or p…')),
  network('bitcoin', 'NMC NAMECOIN', 'Namecoin', like('nc1q…, N…, M… or 6…')),
  network('bitcoin', 'FLUX ZEL ZELCASH', 'Flux', like('t1… or t3…')),
  network('bitcoin', 'ZCL ZCLASSIC', 'Zclassic', like('t1… or t3…')),
  network('bitcoin', 'MONA MONACOIN', 'Monacoin', like('mona1q…, M… or P…')),
  network('bitcoin-cash', 'BCH BITCOINCASH', 'Bitcoin Cash', like('bitcoincash:q… or q…')),
  network('bitcoin-cash', 'XEC ECASH', 'eCash', like('ecash:q… or q…')),
  network('zcash', 'ZEC ZCASH', 'Zcash', like('t1… or t3…'), text('optional', 512)),
  network('kaspa', 'KAS KASPA ~KRC20', 'Kaspa', like('kaspa:q…')),
];

const evm = (codes: string, name: string): Network =>
  network('evm', codes, name, '0x and 40 hexadecimal digits');

/**
 * Chains that run the Ethereum virtual machine: their addresses do not determine the chain. Chain ids are those of
 * https://chainlist.org. Vague are CRO (Cronos POS has that code too), HYPE (HyperCore), CORE (Coreum), MANTA (Manta
 * Atlantic), LSK (the chain before the present one) and TFUEL, which is a coin.
 */
export const evmChains = (): readonly Network[] => [
  evm('ETH ERC20 ETHEREUM eip155:1', 'Ethereum'),
  evm('ETC ETHEREUMCLASSIC eip155:61', 'Ethereum Classic'),
  evm('BSC BEP20 BNB BNBCHAIN BNBSMARTCHAIN BINANCESMARTCHAIN eip155:56', 'BNB Smart Chain'),
  evm('MATIC POLYGON POL eip155:137', 'Polygon'),
  evm('ARBITRUM ARB ARBITRUMONE ARBONE eip155:42161', 'Arbitrum One'),
  evm('OPTIMISM OP OPETH eip155:10', 'Optimism'),
  evm('BASE BASEEVM eip155:8453', 'Base'),
  evm('AVAXC AVAX AVALANCHE AVALANCHEC AVAXCCHAIN CCHAIN eip155:43114', 'Avalanche C-Chain'),
  evm('FTM FANTOM eip155:250', 'Fantom'),
  evm('SONIC S eip155:146', 'Sonic'),
  evm('~CRO CRONOS CRC20 eip155:25', 'Cronos'),
  evm('CELO eip155:42220', 'Celo'),
  evm('ZKSYNC ZKSYNCERA ZKERA eip155:324', 'zkSync Era'),
  evm('LINEA eip155:59144', 'Linea'),
  evm('OPBNB eip155:204', 'opBNB'),
  evm('SCROLL eip155:534352', 'Scroll'),
  evm('BLAST eip155:81457', 'Blast'),
  evm('MANTLE MNT eip155:5000', 'Mantle'),
  evm('~MANTA MANTAETH eip155:169', 'Manta Pacific'),
  evm('METIS eip155:1088', 'Metis'),
  evm('GNOSIS GNO XDAI eip155:100', 'Gnosis'),
  evm('GLMR MOONBEAM eip155:1284', 'Moonbeam'),
  evm('MOVR MOONRIVER eip155:1285', 'Moonriver'),
  evm('KLAY KLAYTN KAIA eip155:8217', 'Kaia'),
  evm('FLR FLARE eip155:14', 'Flare'),
  evm('~CORE COREDAO eip155:1116', 'Core'),
  evm('BERA BERACHAIN eip155:80094', 'Berachain'),
  evm('PLS PULSECHAIN eip155:369', 'PulseChain'),
  evm('ETHW eip155:10001', 'EthereumPoW'),
  evm('AURORA eip155:1313161554', 'Aurora'),
  evm('TAIKO eip155:167000', 'Taiko'),
  evm('MODE eip155:34443', 'Mode'),
  evm('UNICHAIN eip155:130', 'Unichain'),
  evm('WORLDCHAIN eip155:480', 'World Chain'),
  evm('HYPEREVM ~HYPE eip155:999', 'HyperEVM'),
  evm('MONAD MON eip155:143', 'Monad'),
  evm('PLASMA XPL eip155:9745', 'Plasma'),
  evm('SEIEVM eip155:1329', 'Sei EVM'),
  evm('KAVAEVM eip155:2222', 'Kava EVM'),
  evm('VET VECHAIN', 'VeChain'),
  evm('THETA ~TFUEL eip155:361', 'Theta'),
  evm('ZETA ZETACHAIN eip155:7000', 'ZetaChain'),
  evm('INK eip155:57073', 'Ink'),
  evm('SONEIUM eip155:1868', 'Soneium'),
  evm('ABSTRACT eip155:2741', 'Abstract'),
  evm('APE APECHAIN eip155:33139', 'ApeChain'),
  evm('STORY IP eip155:1514', 'Story'),
  evm('LISK ~LSK eip155:1135', 'Lisk'),
  evm('BOBA eip155:288', 'Boba'),
  evm('CFXESPACE CFXEVM CONFLUXESPACE eip155:1030', 'Conflux eSpace'),
  evm('SGB SONGBIRD eip155:19', 'Songbird'),
  evm('FUSE eip155:122', 'Fuse'),
  evm('ZKEVM POLYGONZKEVM eip155:1101', 'Polygon zkEVM'),
  evm('NOVA ARBITRUMNOVA ARBNOVA eip155:42170', 'Arbitrum Nova'),
  evm('KCC KCS eip155:321', 'KuCoin Community Chain'),
  network('evm-dialect', 'RSK ROOTSTOCK RBTC eip155:30', 'Rootstock', '0x and 40 hexadecimal digits'),
  network('evm-dialect', 'RON RONIN eip155:2020', 'Ronin', like('0x… or ronin:…')),
  network('evm-dialect', 'XDC XINFIN eip155:50', 'XDC Network', like('0x… or xdc…')),
  network('evm-dialect', 'IOTX IOTEX eip155:4689', 'IoTeX', like('0x… or io1…')),
];

// SDK chains limit memos to 256 characters by default (docs.cosmos.network, auth parameters).
const cosmos = (codes: string, name: string, prefix: string, need: MemoRule['need'] = 'optional'): Network =>
  network('bech32', codes, name, like(`${prefix}1…`), text(need, 256));

/** Chains of the Cosmos SDK, each with a prefix of its own. */
export const cosmosChains = (): readonly Network[] => [
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
  cosmos('LUNA ~TERRA', 'Terra', 'terra'),
  cosmos('LUNC TERRACLASSIC', 'Terra Classic', 'terra'),
  cosmos('KAVA', 'Kava', 'kava'),
  cosmos('DYDX', 'dYdX', 'dydx'),
  cosmos('NTRN NEUTRON', 'Neutron', 'neutron'),
  cosmos('STRD STRIDE', 'Stride', 'stride'),
  cosmos('DYM DYMENSION', 'Dymension', 'dym'),
  cosmos('SAGA', 'Saga', 'saga'),
  cosmos('STARS STARGAZE', 'Stargaze', 'stars'),
  cosmos('NOBLE', 'Noble', 'noble'),
  cosmos('CROPOS CRYPTOORG CRYPTOORGCHAIN', 'Cronos POS', 'cro'),
  cosmos('FET FETCHAI', 'Fetch.ai', 'fetch'),
  cosmos('BAND BANDCHAIN', 'Band', 'band'),
  cosmos('EVMOS', 'Evmos', 'evmos'),
  cosmos('KUJI KUJIRA', 'Kujira', 'kujira'),
  cosmos('COREUM', 'Coreum', 'core'),
  cosmos('XPLA', 'XPLA', 'xpla'),
];

/** Chains whose addresses have little in common with those of others. TRC10 is vague: an older kind of token on TRON. */
export const otherChains = (): readonly Network[] => [
  network('tron', 'TRX TRC20 ~TRC10 TRON', 'TRON', like('T…')),
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
  // The asset hub is a chain beside the relay chain, and Statemine is Kusama's.
  network(
    'substrate',
    'DOT POLKADOT ~ASSETHUB ~POLKADOTASSETHUB ~STATEMINT ~STATEMINE',
    'Polkadot',
    like('1…'),
  ),
  network('substrate', 'KSM KUSAMA', 'Kusama', like('C… to J…')),
  network('substrate', 'TAO BITTENSOR', 'Bittensor', like('5…')),
  network('substrate', 'ASTR ASTAR', 'Astar', '48 base58 characters'),
  network('starknet', 'STRK STARKNET', 'Starknet', '0x and up to 64 hexadecimal digits'),
  network('bech32', 'ONE HARMONY', 'Harmony', like('one1…')),
  network('bech32', 'ROSE OASIS', 'Oasis', like('oasis1…')),
  network('avalanche', 'AVAXX AVAXXCHAIN XCHAIN AVALANCHEX', 'Avalanche X-Chain', like('X-avax1…')),
  network('avalanche', 'AVAXP AVAXPCHAIN PCHAIN AVALANCHEP', 'Avalanche P-Chain', like('P-avax1…')),
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
];

// STEEM_MAX_MEMO_SIZE is 2,048 bytes; wallets encrypt a memo that begins with #.
const graphene: MemoRule = { need: 'optional', form: 'graphene', maxBytes: 2048 };
const NAME = 'an account name of 3 to 16 letters, digits and hyphens';

/** Chains with a form of their own that no other chain shares, by topic and then by code. */
export const loneChains = (): readonly Network[] => [
  network('alephium', 'ALPH ALEPHIUM', 'Alephium', like('1…')),
  network('arweave', 'AR ARWEAVE', 'Arweave', '43 letters, digits, hyphens and underscores'),
  network('conflux', 'CFX CONFLUX CONFLUXCORE CFXCORE', 'Conflux Core', like('cfx:a…')),
  network('ergo', 'ERG ERGO', 'Ergo', like('9…')),
  network('fio', 'FIO', 'FIO', like('FIO…')),
  network('flow', 'FLOW', 'Flow', '0x and 16 hexadecimal digits'),
  network('graphene', 'HIVE', 'Hive', NAME, graphene),
  network('graphene', 'STEEM', 'Steem', NAME, graphene),
  network('icon', 'ICX ICON', 'ICON', 'hx and 40 hexadecimal digits'),
  network('kadena', 'KDA KADENA', 'Kadena', 'k: and 64 hexadecimal digits'),
  // User_command_memo of the Mina node takes 32 bytes.
  network('mina', 'MINA', 'Mina', like('B62q…'), text('optional', 32)),
  // NIS refuses a message of more than 1,024 bytes; on Symbol its first byte is the kind of message.
  network('nem', 'XEM NEM', 'NEM', like('N…'), text('optional', 1024)),
  network('nem', 'XYM SYMBOL', 'Symbol', like('N…'), text('optional', 1023)),
  // NEP5 is the old chain of Neo, whose code at some services is still NEO.
  network('neo', 'NEO ~GAS ~NEO3 ~N3 ~NEON3 ~NEP5 ~NEP17', 'Neo', like('N…')),
  network('neo', 'ONT ONTOLOGY ~ONG', 'Ontology', like('A…')),
  network('nervos', 'CKB NERVOS', 'Nervos CKB', like('ckb1…')),
  network('nimiq', 'NIM NIMIQ', 'Nimiq', like('NQ…')),
  network('siacoin', 'SC SIACOIN SIA', 'Siacoin', '76 hexadecimal digits'),
  network('stacks', 'STX STACKS', 'Stacks', like('SP… or SM…'), text('optional', 34)),
  // The attachment of a transfer takes 140 bytes.
  network('waves', 'WAVES', 'Waves', like('3P…'), text('optional', 140)),
  network('chia', 'XCH CHIA', 'Chia', like('xch1…')),
];
