// One entry per form that make-samples.mjs writes: `make` loads its packages and gives a function of an address a call.
import { pathToFileURL } from 'node:url';

const hex = (data) => Buffer.from(data).toString('hex');
const load = (require, name) => import(pathToFileURL(require.resolve(name)).href);

/** A secret key of Monero, surely below the order of the curve. */
function moneroSecret(random) {
  const key = random.bytes(32);
  key[31] &= 0x0f;
  return hex(key);
}

const monero = (form, count, address) => ({
  network: 'XMR',
  form,
  packages: ['monero-ts'],
  how: 'Monero’s own C++ in WebAssembly: a keys-only wallet per address',
  count,
  make: async (require, random) => {
    const module = require('monero-ts');
    const ts = module.default ?? module;
    const networkType = ts.MoneroNetworkType.MAINNET;
    return async () => {
      const privateSpendKey = moneroSecret(random);
      const wallet = await ts.createWalletKeys({ networkType, privateSpendKey, proxyToWorker: false });
      const text = await address(wallet, random, (own) =>
        ts.MoneroUtils.getIntegratedAddress(networkType, own, hex(random.bytes(8))),
      );
      await wallet.close();
      return text;
    };
  },
});

const kaspa = (form, address) => ({
  network: 'KAS',
  form,
  packages: ['kaspa-wasm'],
  how: 'rusty-kaspa in WebAssembly, from a secret key per address',
  count: 100,
  make: (require, random) => {
    const wasm = require('kaspa-wasm');
    const key = () => new wasm.PrivateKey(hex(random.bytes(32))).toKeypair();
    return () => address(wasm, key, wasm.NetworkType.Mainnet);
  },
});

// This release of kaspa-wasm cannot make these itself: it hands 32 bytes to where 33 belong, and panics.
const kaspaEcdsa = {
  network: 'KAS',
  form: 'ecdsa',
  packages: ['@bitauth/libauth', 'kaspa-wasm'],
  how: 'encodeCashAddressFormat of random compressed keys, read and written again by rusty-kaspa',
  count: 100,
  make: async (require, random) => {
    const libauth = await load(require, '@bitauth/libauth');
    const { Address } = require('kaspa-wasm');
    return () => {
      const payload = Uint8Array.from([2 + random.below(2), ...random.bytes(32)]);
      const address = new Address(
        libauth.encodeCashAddressFormat({ payload, prefix: 'kaspa', version: 1 }).address,
      );
      if (address.version !== 'PubKeyECDSA') throw new Error(`rusty-kaspa reads ${address.version}`);
      return address;
    };
  },
};

const hedera = {
  network: 'HBAR',
  form: 'with checksum',
  packages: ['@hashgraph/sdk'],
  how: 'AccountId.toStringWithChecksum for the main network, numbers of 4 to 10 digits',
  count: 300,
  make: (require, random) => {
    const { AccountId, Client } = require('@hashgraph/sdk');
    const client = Client.forMainnet();
    return (i) => new AccountId(0, 0, 1000 + random.below(10 ** (4 + (i % 7)))).toStringWithChecksum(client);
  },
};

const stellar = (form, address) => ({
  network: 'XLM',
  form,
  packages: ['@stellar/stellar-base'],
  how: 'StrKey',
  count: 150,
  make: (require, random) => {
    const { StrKey } = require('@stellar/stellar-base');
    return () => address(StrKey, random);
  },
});

const filecoin = (form, count, address) => ({
  network: 'FIL',
  form,
  packages: ['@glif/filecoin-address'],
  how: 'main-network address from random key, actor bytes or Ethereum account',
  count,
  make: (require, random) => {
    const glif = require('@glif/filecoin-address');
    return () => address(glif, random, glif.CoinType.MAIN);
  },
});

const tezos = {
  network: 'XTZ',
  form: 'tz1, tz2, tz3, tz4, KT1',
  packages: ['@taquito/utils'],
  how: 'b58cencode of random hashes with the prefixes of the library',
  count: 300,
  make: (require, random) => {
    const { b58cencode, prefix } = require('@taquito/utils');
    const kinds = ['tz1', 'tz2', 'tz3', 'tz4', 'KT1'];
    return (i) => b58cencode(random.bytes(20), prefix[kinds[i % kinds.length]]);
  },
};

const cashTokens = {
  network: 'BCH',
  form: 'p2sh32 and token-aware',
  packages: ['@bitauth/libauth'],
  how: 'encodeCashAddress of random hashes',
  count: 300,
  make: async (require, random) => {
    const { encodeCashAddress } = await load(require, '@bitauth/libauth');
    const kinds = [
      ['p2sh', 32],
      ['p2pkhWithTokens', 20],
      ['p2shWithTokens', 20],
      ['p2shWithTokens', 32],
    ];
    return (i) => {
      const [type, length] = kinds[i % kinds.length];
      const payload = Uint8Array.from(random.bytes(length));
      return encodeCashAddress({ payload, prefix: 'bitcoincash', type }).address;
    };
  },
};

const nano = {
  network: 'XNO',
  form: 'nano_',
  packages: ['nanocurrency'],
  how: 'deriveAddress of random public keys',
  count: 300,
  make: (require, random) => {
    const { deriveAddress } = require('nanocurrency');
    return () => deriveAddress(hex(random.bytes(32)), { useNanoPrefix: true });
  },
};
const banano = {
  network: 'BAN',
  form: 'ban_',
  packages: ['@bananocoin/bananojs'],
  how: 'getBananoAccount of random public keys',
  count: 300,
  make: (require, random) => {
    const bananojs = require('@bananocoin/bananojs');
    return () => bananojs.getBananoAccount(hex(random.bytes(32)));
  },
};
const eos = {
  network: 'EOS',
  form: 'account name',
  packages: ['@wharfkit/antelope'],
  how: 'Name of random 64-bit numbers without their last four bits (at most twelve letters), no dot in front',
  count: 300,
  make: (require, random) => {
    const { Name, UInt64 } = require('@wharfkit/antelope');
    const name = () => String(Name.from(UInt64.from(String(random.bytes(8).readBigUInt64LE() & ~15n))));
    const payable = (text) => (text.startsWith('.') ? payable(name()) : text);
    return () => payable(name());
  },
};

export const OTHERS = [
  monero('standard', 100, (wallet) => wallet.getPrimaryAddress()),
  monero('subaddress', 100, (wallet, random) => wallet.getAddress(random.below(50), 1 + random.below(500))),
  monero('integrated', 100, async (wallet, _, integrate) => integrate(await wallet.getPrimaryAddress())),
  kaspa('schnorr', (_, key, main) => key().toAddress(main)),
  kaspaEcdsa,
  kaspa('script-hash', (wasm, key, main) =>
    wasm.createMultisigAddress(1, [key().publicKey, key().publicKey], main, false),
  ),
  hedera,
  stellar('account', (strKey, random) => strKey.encodeEd25519PublicKey(random.bytes(32))),
  stellar('muxed', (strKey, random) => strKey.encodeMed25519PublicKey(random.bytes(40))),
  filecoin('f1', 100, (glif, random, main) => glif.newSecp256k1Address(random.bytes(65), main)),
  filecoin('f2', 50, (glif, random, main) => glif.newActorAddress(random.bytes(24), main)),
  filecoin('f3', 75, (glif, random, main) => glif.newBLSAddress(random.bytes(48), main)),
  filecoin('f410f', 75, (glif, random, main) =>
    glif.newDelegatedEthAddress(`0x${hex(random.bytes(20))}`, main),
  ),
  tezos,
  cashTokens,
  nano,
  banano,
  eos,
];
