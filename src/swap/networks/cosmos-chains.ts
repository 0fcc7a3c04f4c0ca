import { like, type MemoRule, type Network, network, text } from './network.ts';

// SDK chains limit memos to 256 characters by default (docs.cosmos.network, auth parameters).
const cosmos = (codes: string, name: string, prefix: string, need: MemoRule['need'] = 'optional'): Network =>
  network('bech32', codes, name, like(`${prefix}1…`), text(need, 256));

/** Chains of the Cosmos SDK, each with a prefix of its own. */
export const COSMOS_CHAINS: readonly Network[] = [
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
