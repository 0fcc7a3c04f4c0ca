// The forms of Cardano for make-samples.mjs.
const shelley = {
  network: 'ADA',
  form: 'shelley',
  packages: ['@emurgo/cardano-serialization-lib-nodejs'],
  how: 'base and enterprise addresses of random key and script hashes',
  count: 300,
  make: (require, random) => {
    const csl = require('@emurgo/cardano-serialization-lib-nodejs');
    const key = () => csl.Credential.from_keyhash(csl.Ed25519KeyHash.from_bytes(random.bytes(28)));
    const script = () => csl.Credential.from_scripthash(csl.ScriptHash.from_bytes(random.bytes(28)));
    const base = (payment, stake) => csl.BaseAddress.new(1, payment(), stake());
    const enterprise = (payment) => csl.EnterpriseAddress.new(1, payment());
    const kinds = [
      () => base(key, key),
      () => base(script, key),
      () => base(key, script),
      () => base(script, script),
      () => enterprise(key),
      () => enterprise(script),
    ];
    return (i) => kinds[i % kinds.length]().to_address().to_bech32();
  },
};

const icarus = {
  network: 'ADA',
  form: 'byron without path',
  packages: ['@emurgo/cardano-serialization-lib-nodejs'],
  how: 'ByronAddress.icarus_from_key, from random entropy',
  count: 100,
  make: (require, random) => {
    const { Bip32PrivateKey, ByronAddress } = require('@emurgo/cardano-serialization-lib-nodejs');
    return () => {
      const root = Bip32PrivateKey.from_bip39_entropy(random.bytes(16), new Uint8Array());
      return ByronAddress.icarus_from_key(root.to_public(), 764824073).to_base58();
    };
  },
};

const daedalus = {
  network: 'ADA',
  form: 'byron with path',
  packages: ['cardano-crypto.js'],
  how: 'packBootstrapAddress of derivation scheme 1: the path is encrypted inside, as Daedalus wrote it',
  count: 100,
  make: (require, random) => {
    const cardano = require('cardano-crypto.js');
    return async () => {
      const xpub = random.bytes(64);
      const path = [0x80000000 + random.below(2 ** 31), 0x80000000 + random.below(2 ** 31)];
      const passphrase = await cardano.xpubToHdPassphrase(random.bytes(64));
      return cardano.base58.encode(cardano.packBootstrapAddress(path, xpub, passphrase, 1, 764824073));
    };
  },
};

export const CARDANO = [shelley, icarus, daedalus];
