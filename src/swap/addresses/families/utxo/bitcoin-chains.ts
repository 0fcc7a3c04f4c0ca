/** Address forms of one network of a chain: version bytes in hexadecimal, bech32 prefixes, and private forms. */
export interface Forms {
  readonly p2pkh: readonly string[];
  readonly p2sh: readonly string[];
  readonly segwit: readonly string[];
  /** Transparent addresses that accept only transparent coins, as exchanges demand. */
  readonly exchange?: string;
  readonly mweb?: string;
  readonly sapling?: string;
  readonly spark?: string;
}

/**
 * One chain. `shared`: versions that another chain uses too, so that the text does not determine the chain.
 * `noTaproot`: witness version 1 has no rule there, or none that is known here.
 */
export interface Chain {
  readonly main: Forms;
  readonly test: Forms;
  readonly shared?: readonly string[];
  readonly noTaproot?: true;
}

/** Makes {@link Forms}; lists are separated by spaces. */
function forms(p2pkh: string, p2sh = '', segwit = '', more: Partial<Forms> = {}): Forms {
  const list = (text: string) => text.split(' ').filter((item) => item !== '');
  return { p2pkh: list(p2pkh), p2sh: list(p2sh), segwit: list(segwit), ...more };
}

const ZCASH_LIKE = { main: forms('1cb8', '1cbd'), test: forms('1d25', '1cba'), shared: ['1cb8', '1cbd'] };

/** Bitcoin and its relatives, by network code. Sources: chainparams.cpp of each chain's node, params of dcrd. */
export const CHAINS: Readonly<Record<string, Chain>> = {
  BTC: { main: forms('00', '05', 'bc'), test: forms('6f', 'c4', 'tb bcrt') },
  LTC: {
    main: forms('30', '32 05', 'ltc', { mweb: 'ltcmweb' }),
    test: forms('6f', '3a c4', 'tltc rltc', { mweb: 'tmweb' }),
    shared: ['05'],
  },
  DOGE: { main: forms('1e', '16'), test: forms('71', 'c4') },
  DASH: { main: forms('4c', '10'), test: forms('8c', '13') },
  // Script hashes (3…) ended with the upgrade of February 2020.
  BSV: { main: forms('00'), test: forms('6f'), shared: ['00'] },
  OMNI: { main: forms('00', '05'), test: forms('6f', 'c4') },
  DGB: { main: forms('1e', '3f 05', 'dgb'), test: forms('7e', '8c', 'dgbt dgbrt'), shared: ['1e', '05'] },
  RVN: { main: forms('3c', '7a'), test: forms('6f', 'c4') },
  QTUM: { main: forms('3a', '32', 'qc'), test: forms('78', '6e', 'tq qcrt'), shared: ['32'] },
  GRS: { main: forms('24', '05', 'grs'), test: forms('6f', 'c4', 'tgrs grsrt') },
  BTG: { main: forms('26', '17', 'btg'), test: forms('6f', 'c4', 'tbtg'), shared: ['17'], noTaproot: true },
  VTC: { main: forms('47', '05', 'vtc'), test: forms('4a', 'c4', 'tvtc'), shared: ['05'], noTaproot: true },
  FIRO: {
    main: forms('52', '07', '', { exchange: '01b9bb', spark: 'sm' }),
    test: forms('41', 'b2', '', { exchange: '01b9b1', spark: 'st' }),
  },
  DCR: { main: forms('073f', '071a'), test: forms('0f21 0e91', '0efc 0e6c') },
  ZEN: {
    main: forms('2089 1cb8', '2096 1cbd'),
    test: forms('2098 1d25', '2092 1cba'),
    shared: ['1cb8', '1cbd'],
  },
  KMD: { main: forms('3c', '55'), test: forms(''), shared: ['3c'] },
  PIVX: {
    main: forms('1e', '0d', '', { exchange: '01b9a2', sapling: 'ps' }),
    test: forms('8b', '13', '', { exchange: '01b9b1', sapling: 'ptestsapling' }),
    shared: ['1e', '0d'],
  },
  XVG: { main: forms('1e', '21'), test: forms('73', 'c6'), shared: ['1e'] },
  SYS: { main: forms('3f', '05', 'sys'), test: forms('41', 'c4', 'tsys'), shared: ['3f', '05'] },
  PPC: { main: forms('37', '75', 'pc'), test: forms('6f', 'c4', 'tpc'), shared: ['37'], noTaproot: true },
  NMC: { main: forms('34', '0d', 'nc'), test: forms('6f', 'c4', 'tn'), shared: ['0d'] },
  FLUX: { ...ZCASH_LIKE, main: forms('1cb8', '1cbd', '', { sapling: 'za' }) },
  ZCL: ZCASH_LIKE,
  MONA: {
    main: forms('32', '37 05', 'mona'),
    test: forms('6f', '75 c4', 'tmona'),
    shared: ['32', '37', '05'],
    noTaproot: true,
  },
};
