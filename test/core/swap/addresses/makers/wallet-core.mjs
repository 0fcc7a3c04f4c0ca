// Forms of make-samples.mjs that Trust Wallet Core makes: C++ and Rust in WebAssembly, with its own table of prefixes.

/** Pairs of canonical code and what Wallet Core calls the coin. */
const pairs = (text) => text.split(', ').map((pair) => pair.split(' '));

const SOLE_SOURCE = pairs(
  'ETH ethereum, SOL solana, DOT polkadot, KSM kusama, ALGO algorand, ICP internetComputer, NEAR near',
);
const MOVE = pairs('SUI sui, APT aptos');
const OWN_FORMS = pairs('RON ronin, IOTX ioTeX');
const GROESTLCOIN = pairs('GRS groestlcoin');

// The tests write addresses of these with their own table of version bytes and prefixes: this is the second source.
const BASE58 = pairs(
  'BTC bitcoin, LTC litecoin, DOGE dogecoin, DASH dash, DGB digiByte, RVN ravencoin, QTUM qtum',
);
const SECOND_SOURCE = pairs(
  'BCH bitcoinCash, XEC ecash, ZEC zcash, TRX tron, XRP xrp, XLM stellar, TON ton, XTZ tezos, FIL filecoin, ' +
    'XNO nano, EGLD multiversX, ZIL zilliqa, ETC ethereumClassic, BSC smartChain, ATOM cosmos, OSMO osmosis, ' +
    'TIA tia, SEI sei, INJ nativeInjective, JUNO juno, SCRT secret, AKT akash, AXL axelar, RUNE thorchain, ' +
    'BTG bitcoinGold, FIRO firo, ZEN zen, KMD komodo, PIVX pivx, XVG verge, SYS syscoin, FLUX zelcash, MONA monacoin, ' +
    'RSK rootstock, ONE harmony, CROPOS cryptoOrg, FET fetchAI, BAND bandChain, ROSE oasis, EVMOS nativeEvmos, ' +
    'KUJI kujira, COREUM coreum, VET veChain, THETA theta, ZETA zetaEVM, KCC kuCoinCommunityChain, ' +
    'ZKEVM polygonzkEVM, NOVA arbitrumNova, BOBA boba, ' +
    'LUNA terraV2, LUNC terra, KAVA kava, DYDX dydx, NTRN neutron, STRD stride, STARS stargaze, NOBLE noble',
);

const maker = (network, form, count, how, make) => ({
  network,
  form,
  packages: ['@trustwallet/wallet-core'],
  how,
  count,
  make: async (require, random) => {
    const core = await require('@trustwallet/wallet-core').initWasm();
    return () => make(core, random);
  },
});

const ofKey =
  (count) =>
  ([network, name]) =>
    maker(network, 'wallet', count, 'CoinType.deriveAddress of random keys', (core, random) =>
      core.CoinTypeExt.deriveAddress(core.CoinType[name], core.PrivateKey.createWithData(random.bytes(32))),
    );

const ofScript = ([network, name]) =>
  maker(network, 'script hash', 10, 'CoinType.p2shPrefix and random hashes', (core, random) => {
    const prefix = core.CoinTypeExt.p2shPrefix(core.CoinType[name]);
    return core.BitcoinAddress.createWithData(Buffer.of(prefix, ...random.bytes(20))).description();
  });

const derived = ([network, name, derivation]) =>
  maker(network, derivation, 10, 'AnyAddress of random keys with that derivation', (core, random) => {
    const { AnyAddress, CoinType, Derivation, PrivateKey } = core;
    const key = PrivateKey.createWithData(random.bytes(32)).getPublicKeySecp256k1(true);
    const address = AnyAddress.createWithPublicKeyDerivation(key, CoinType[name], Derivation[derivation]);
    return address.description();
  });

const cardano = maker('ADA', 'wallet', 10, 'HDWallet of random entropy', (core, random) =>
  core.HDWallet.createWithEntropy(random.bytes(16), '').getAddressForCoin(core.CoinType.cardano),
);

export const WALLET_CORE = [
  ...SOLE_SOURCE.map(ofKey(300)),
  ...[...MOVE, ...OWN_FORMS].map(ofKey(150)),
  ...GROESTLCOIN.map(ofKey(100)),
  ...pairs('DCR decred').map(ofKey(300)),
  ...[...BASE58, ...SECOND_SOURCE].map(ofKey(10)),
  ...[...BASE58, ...pairs('BTG bitcoinGold, FIRO firo, KMD komodo, PIVX pivx, XVG verge, SYS syscoin')].map(
    ofScript,
  ),
  ...pairs('BTC bitcoin bitcoinLegacy, BTC bitcoin bitcoinTaproot, LTC litecoin litecoinLegacy').map(derived),
  cardano,
];
