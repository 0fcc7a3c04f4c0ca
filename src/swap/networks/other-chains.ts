import { like, type Network, network, text } from './network.ts';

/** Chains whose addresses have little in common with those of others. TRC10 is vague: an older kind of token on TRON. */
export const OTHER_CHAINS: readonly Network[] = [
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
