import type { Decimal } from '../../swap/amount.ts';
import type { SandboxCoin } from './coin.ts';

interface NetworkTraits {
  /** Confirmations until a deposit counts. */
  readonly confirmations: number;
  /** Whether customers share an address and are distinguished by a memo or tag. */
  readonly memoNeeded: boolean;
}

type Sides = 'both' | 'deposit' | 'receive';
type Placement = readonly [network: string, decimals: number, payoutFee: Decimal, sides?: Sides];

const plain = (confirmations: number): NetworkTraits => ({ confirmations, memoNeeded: false });
const withMemo = (confirmations: number): NetworkTraits => ({ confirmations, memoNeeded: true });

/** The networks of the built-in catalogue by their code, which is the chain's own ticker. */
const NETWORKS: Readonly<Record<string, NetworkTraits>> = {
  BTC: plain(2),
  LTC: plain(6),
  DOGE: plain(15),
  DASH: plain(6),
  BCH: plain(6),
  ZEC: plain(12),
  ETH: plain(12),
  BSC: plain(15),
  MATIC: plain(30),
  ARBITRUM: plain(20),
  OPTIMISM: plain(20),
  BASE: plain(20),
  AVAXC: plain(12),
  ETC: plain(30),
  TRX: plain(19),
  SOL: plain(10),
  XRP: withMemo(1),
  XLM: withMemo(1),
  TON: withMemo(2),
  ADA: plain(15),
  DOT: plain(10),
  KSM: plain(10),
  ATOM: withMemo(2),
  OSMO: plain(2),
  TIA: plain(2),
  SEI: plain(2),
  INJ: plain(2),
  RUNE: plain(2),
  XMR: plain(10),
  EOS: withMemo(3),
  HBAR: withMemo(1),
  ALGO: plain(2),
  FIL: plain(10),
  XNO: plain(1),
  NEAR: plain(4),
  XTZ: plain(4),
  SUI: plain(2),
  APT: plain(2),
  KAS: plain(20),
  EGLD: plain(3),
  ZIL: plain(4),
};

/** One coin; its first placement is the default network. The price is an anchor, not a market price. */
function coin(code: string, name: string, usd: Decimal, ...placements: Placement[]): SandboxCoin {
  const assets = placements.map(([network, decimals, payoutFee, sides = 'both']) => {
    const traits = NETWORKS[network];
    if (traits === undefined)
      throw new RangeError(`${code} stands on ${network}, which is not in the table.`);
    return {
      coin: code,
      network,
      decimals,
      deposit: sides !== 'receive',
      receive: sides !== 'deposit',
      ...traits,
      depositFee: '0',
      payoutFee,
    };
  });
  return { code, name, image: `/coins/${code.toLowerCase()}.svg`, usd, assets };
}

/**
 * Builds the coins of the built-in catalogue. Decimals are those of the chain or of the token's contract on
 * that network (USDT has 6 on Ethereum and 18 on BSC); payout fees are in the coin itself.
 */
export function builtInCoins(): readonly SandboxCoin[] {
  return [...nativeCoins(), ...dollarsAndMetals(), ...ethereumTokens(), ...otherTokens()];
}

function nativeCoins(): SandboxCoin[] {
  return [
    coin('BTC', 'Bitcoin', '95000', ['BTC', 8, '0.00008']),
    coin('ETH', 'Ethereum', '3300', ['ETH', 18, '0.0006']),
    coin('BNB', 'BNB', '650', ['BSC', 18, '0.0004']),
    coin('XRP', 'XRP', '2.2', ['XRP', 6, '0.2']),
    coin('SOL', 'Solana', '180', ['SOL', 9, '0.003']),
    coin('TRX', 'TRON', '0.25', ['TRX', 6, '1.1']),
    coin('DOGE', 'Dogecoin', '0.32', ['DOGE', 8, '2']),
    coin('ADA', 'Cardano', '0.75', ['ADA', 6, '0.8']),
    coin('LTC', 'Litecoin', '110', ['LTC', 8, '0.001']),
    coin('BCH', 'Bitcoin Cash', '440', ['BCH', 8, '0.0005']),
    coin('DASH', 'Dash', '38', ['DASH', 8, '0.002']),
    coin('ZEC', 'Zcash', '52', ['ZEC', 8, '0.002']),
    coin('XMR', 'Monero', '195', ['XMR', 12, '0.0005']),
    coin('ETC', 'Ethereum Classic', '26', ['ETC', 18, '0.01']),
    coin('AVAX', 'Avalanche', '36', ['AVAXC', 18, '0.008']),
    coin('POL', 'Polygon', '0.45', ['MATIC', 18, '0.1'], ['ETH', 18, '5']),
    coin('TON', 'Toncoin', '5.3', ['TON', 9, '0.02']),
    coin('XLM', 'Stellar', '0.38', ['XLM', 7, '0.02']),
    coin('DOT', 'Polkadot', '6.8', ['DOT', 10, '0.08']),
    coin('KSM', 'Kusama', '31', ['KSM', 12, '0.01']),
    coin('ATOM', 'Cosmos Hub', '6.4', ['ATOM', 6, '0.01']),
    coin('OSMO', 'Osmosis', '0.47', ['OSMO', 6, '0.05']),
    coin('TIA', 'Celestia', '4.7', ['TIA', 6, '0.01']),
    coin('SEI', 'Sei', '0.41', ['SEI', 6, '0.1']),
    coin('INJ', 'Injective', '21', ['INJ', 18, '0.005'], ['ETH', 18, '0.12']),
    coin('RUNE', 'THORChain', '3.4', ['RUNE', 8, '0.02']),
    coin('EOS', 'EOS', '0.78', ['EOS', 4, '0.1']),
    coin('HBAR', 'Hedera', '0.29', ['HBAR', 8, '0.1']),
    coin('ALGO', 'Algorand', '0.35', ['ALGO', 6, '0.01']),
    coin('FIL', 'Filecoin', '5.1', ['FIL', 18, '0.005']),
    coin('XNO', 'Nano', '1.12', ['XNO', 30, '0.001']),
    coin('NEAR', 'NEAR Protocol', '4.9', ['NEAR', 24, '0.01']),
    coin('XTZ', 'Tezos', '1.25', ['XTZ', 6, '0.02']),
    coin('SUI', 'Sui', '3.6', ['SUI', 9, '0.01']),
    coin('APT', 'Aptos', '8.9', ['APT', 8, '0.003']),
    coin('KAS', 'Kaspa', '0.115', ['KAS', 8, '0.1']),
    coin('EGLD', 'MultiversX', '32', ['EGLD', 18, '0.001']),
    coin('ZIL', 'Zilliqa', '0.021', ['ZIL', 12, '1']),
  ];
}

/**
 * Coins tied to a currency or to gold. An anchor price of exactly 1 marks a dollar coin, which moves less:
 * prices/price-walk.ts.
 */
function dollarsAndMetals(): SandboxCoin[] {
  return [
    coin(
      'USDT',
      'Tether USD',
      '1',
      ['ETH', 6, '2.5'],
      ['TRX', 6, '1.8'],
      ['BSC', 18, '0.2'],
      ['SOL', 6, '0.5'],
      ['MATIC', 6, '0.1'],
      ['ARBITRUM', 6, '0.15'],
      ['OPTIMISM', 6, '0.15'],
      ['AVAXC', 6, '0.15'],
      ['TON', 6, '0.3'],
      ['NEAR', 6, '0.1'],
      ['APT', 6, '0.05'],
    ),
    coin(
      'USDC',
      'USD Coin',
      '1',
      ['ETH', 6, '2.5'],
      ['SOL', 6, '0.5'],
      ['BSC', 18, '0.2'],
      ['MATIC', 6, '0.1'],
      ['ARBITRUM', 6, '0.15'],
      ['OPTIMISM', 6, '0.15'],
      ['BASE', 6, '0.1'],
      ['AVAXC', 6, '0.15'],
      ['XLM', 7, '0.05'],
      ['ALGO', 6, '0.02'],
      ['HBAR', 6, '0.05'],
      ['NEAR', 6, '0.1'],
      ['SUI', 6, '0.05'],
      ['APT', 6, '0.05'],
      ['TRX', 6, '1.8', 'deposit'],
    ),
    coin(
      'DAI',
      'Dai',
      '1',
      ['ETH', 18, '2.6'],
      ['BSC', 18, '0.2'],
      ['MATIC', 18, '0.1'],
      ['ARBITRUM', 18, '0.15'],
      ['OPTIMISM', 18, '0.15'],
      ['BASE', 18, '0.1'],
    ),
    coin('TUSD', 'TrueUSD', '1', ['ETH', 18, '2.6'], ['TRX', 18, '1.8'], ['BSC', 18, '0.2']),
    coin('FDUSD', 'First Digital USD', '1', ['ETH', 18, '2.6'], ['BSC', 18, '0.2']),
    coin('PYUSD', 'PayPal USD', '1', ['ETH', 6, '2.6'], ['SOL', 6, '0.5']),
    coin('USDD', 'Decentralized USD', '1', ['TRX', 18, '1.8', 'deposit']),
    coin('EURC', 'Euro Coin', '1.08', ['ETH', 6, '2.4'], ['SOL', 6, '0.45'], ['BASE', 6, '0.1']),
    coin('PAXG', 'PAX Gold', '2680', ['ETH', 18, '0.001']),
    coin('XAUT', 'Tether Gold', '2675', ['ETH', 6, '0.001', 'receive']),
  ];
}

function ethereumTokens(): SandboxCoin[] {
  return [
    coin('WBTC', 'Wrapped Bitcoin', '94900', ['ETH', 8, '0.00004'], ['ARBITRUM', 8, '0.000002']),
    coin('CBBTC', 'Coinbase Wrapped BTC', '94950', ['BASE', 8, '0.000001'], ['ETH', 8, '0.00004']),
    coin('STETH', 'Lido Staked Ether', '3295', ['ETH', 18, '0.001']),
    coin('LINK', 'Chainlink', '22', ['ETH', 18, '0.12'], ['BSC', 18, '0.01'], ['ARBITRUM', 18, '0.008']),
    coin('UNI', 'Uniswap', '12.4', ['ETH', 18, '0.2'], ['BSC', 18, '0.02'], ['ARBITRUM', 18, '0.015']),
    coin('AAVE', 'Aave', '290', ['ETH', 18, '0.009'], ['MATIC', 18, '0.0005']),
    coin('MATIC', 'Polygon (old token)', '0.45', ['ETH', 18, '5', 'deposit']),
    coin('SHIB', 'Shiba Inu', '0.0000215', ['ETH', 18, '110000']),
    coin('PEPE', 'Pepe', '0.0000172', ['ETH', 18, '145000']),
    coin('FLOKI', 'Floki', '0.000165', ['ETH', 9, '16000'], ['BSC', 9, '1200']),
    coin('MKR', 'Maker', '1500', ['ETH', 18, '0.0017']),
    coin('CRV', 'Curve DAO', '0.88', ['ETH', 18, '2.9']),
    coin('COMP', 'Compound', '78', ['ETH', 18, '0.033']),
    coin('LDO', 'Lido DAO', '1.9', ['ETH', 18, '1.3']),
    coin('GRT', 'The Graph', '0.21', ['ETH', 18, '12'], ['ARBITRUM', 18, '0.8']),
    coin('SAND', 'The Sandbox', '0.58', ['ETH', 18, '4.4'], ['MATIC', 18, '0.2']),
    coin('MANA', 'Decentraland', '0.49', ['ETH', 18, '5.2']),
    coin('APE', 'ApeCoin', '1.15', ['ETH', 18, '2.2']),
    coin('ENS', 'Ethereum Name Service', '34', ['ETH', 18, '0.075']),
    coin('1INCH', '1inch', '0.39', ['ETH', 18, '6.6'], ['BSC', 18, '0.5']),
    coin('SUSHI', 'SushiSwap', '1.4', ['ETH', 18, '1.8']),
    coin('SNX', 'Synthetix', '1.95', ['ETH', 18, '1.3'], ['OPTIMISM', 18, '0.08']),
    coin('BAT', 'Basic Attention Token', '0.24', ['ETH', 18, '10.5']),
    coin('ENJ', 'Enjin Coin', '0.22', ['ETH', 18, '11.5', 'deposit']),
    coin('CHZ', 'Chiliz', '0.088', ['ETH', 18, '29']),
    coin('IMX', 'Immutable', '1.3', ['ETH', 18, '2']),
    coin('FET', 'Artificial Superintelligence Alliance', '1.25', ['ETH', 18, '2']),
    coin('QNT', 'Quant', '106', ['ETH', 18, '0.024']),
    coin('GALA', 'Gala', '0.036', ['ETH', 8, '70']),
    coin('CRO', 'Cronos', '0.14', ['ETH', 8, '18']),
    coin('ONDO', 'Ondo', '1.35', ['ETH', 18, '1.9']),
    coin('ENA', 'Ethena', '0.92', ['ETH', 18, '2.8']),
    coin('PENDLE', 'Pendle', '4.8', ['ETH', 18, '0.55'], ['ARBITRUM', 18, '0.03']),
    coin('YFI', 'yearn.finance', '8200', ['ETH', 18, '0.00032', 'receive']),
  ];
}

function otherTokens(): SandboxCoin[] {
  return [
    coin('ARB', 'Arbitrum', '0.74', ['ARBITRUM', 18, '0.2'], ['ETH', 18, '3.5']),
    coin('OP', 'Optimism', '1.85', ['OPTIMISM', 18, '0.08']),
    coin('WLD', 'Worldcoin', '2.15', ['OPTIMISM', 18, '0.07'], ['ETH', 18, '1.2']),
    coin('GMX', 'GMX', '24', ['ARBITRUM', 18, '0.007']),
    coin('AERO', 'Aerodrome', '1.3', ['BASE', 18, '0.08']),
    coin('CAKE', 'PancakeSwap', '2.4', ['BSC', 18, '0.1']),
    coin('JOE', 'Trader Joe', '0.36', ['AVAXC', 18, '0.4']),
    coin('BTT', 'BitTorrent', '0.00000105', ['TRX', 18, '1800000']),
    coin('JST', 'JUST', '0.037', ['TRX', 18, '50']),
    coin('SUN', 'Sun Token', '0.019', ['TRX', 18, '95']),
    coin('BONK', 'Bonk', '0.0000295', ['SOL', 5, '17000']),
    coin('WIF', 'dogwifhat', '1.75', ['SOL', 6, '0.3']),
    coin('JUP', 'Jupiter', '0.83', ['SOL', 6, '0.6']),
    coin('RAY', 'Raydium', '4.9', ['SOL', 6, '0.1']),
    coin('JTO', 'Jito', '2.9', ['SOL', 9, '0.18']),
    coin('PYTH', 'Pyth Network', '0.37', ['SOL', 6, '1.4', 'receive']),
    coin('NOT', 'Notcoin', '0.0052', ['TON', 9, '20']),
  ];
}
