// Forms of make-samples.mjs for chains whose addresses hold a lock or script: Nervos CKB, Ergo, Alephium.
import { createECDH } from 'node:crypto';

const hex = (data) => Buffer.from(data).toString('hex');

const maker = (network, form, packages, how, count, make) => ({ network, form, packages, how, count, make });

const nervos = (form, how, count, address) =>
  maker('CKB', form, ['@ckb-lumos/helpers', '@ckb-lumos/config-manager'], how, count, (require, random) => {
    const helpers = require('@ckb-lumos/helpers');
    const config = require('@ckb-lumos/config-manager').predefined.LINA;
    return (i) => address(helpers, config, random, i);
  });

const HASH_TYPES = ['type', 'data', 'data1', 'data2'];

const nervosFull = nervos(
  'full',
  'encodeToAddress of random scripts, 20 to 60 bytes of arguments',
  200,
  (helpers, config, random, i) => {
    const codeHash = `0x${hex(random.bytes(32))}`;
    const args = `0x${hex(random.bytes(20 + (i % 41)))}`;
    return helpers.encodeToAddress({ codeHash, hashType: HASH_TYPES[i % 4], args }, { config });
  },
);

const nervosShort = nervos(
  'short',
  'generateAddress of one-key, multi-key and anyone-can-pay locks',
  60,
  (helpers, config, random, i) => {
    const lock = Object.values(config.SCRIPTS).filter(({ SHORT_ID }) => SHORT_ID !== undefined)[i % 3];
    const args = `0x${hex(random.bytes(20))}`;
    return helpers.generateAddress({ codeHash: lock.CODE_HASH, hashType: lock.HASH_TYPE, args }, { config });
  },
);

const nervosOldFull = nervos(
  'full, deprecated',
  'generateAddress of random scripts',
  60,
  (helpers, config, random, i) => {
    const codeHash = `0x${hex(random.bytes(32))}`;
    const args = `0x${hex(random.bytes(20 + (i % 41)))}`;
    return helpers.generateAddress({ codeHash, hashType: HASH_TYPES[i % 2], args }, { config });
  },
);

const ergo = (form, how, count, address) =>
  maker('ERG', form, ['@fleet-sdk/core'], how, count, (require, random) => {
    const fleet = require('@fleet-sdk/core');
    return () => address(fleet, random).encode(fleet.Network.Mainnet);
  });

/** The compressed public key of a random secret one, by OpenSSL. */
function publicKey(random) {
  const ecdh = createECDH('secp256k1');
  ecdh.setPrivateKey(random.bytes(32));
  return ecdh.getPublicKey(null, 'compressed');
}

/** A tree that stands for any script: the header, a length, and bytes. */
const ergoTree = (random) => {
  const body = random.bytes(10 + random.below(50));
  return Buffer.concat([Buffer.of(0x18, body.length), body]);
};

const ergoKey = ergo('p2pk', 'fromPublicKey of random keys', 200, ({ ErgoAddress }, random) =>
  ErgoAddress.fromPublicKey(Uint8Array.from(publicKey(random))),
);
const ergoScript = ergo('p2s', 'fromErgoTree of random bytes', 50, ({ ErgoAddress }, random) =>
  ErgoAddress.fromErgoTree(hex(ergoTree(random))),
);
const ergoHash = ergo('p2sh', 'fromHash of random hashes', 50, ({ ErgoAddress }, random) =>
  ErgoAddress.fromHash(Uint8Array.from(random.bytes(24))),
);

const alephium = (form, how, count, address) =>
  maker('ALPH', form, ['@alephium/web3'], how, count, (require, random) => {
    const web3 = require('@alephium/web3');
    return (i) => address(web3, random, i);
  });

const KEY_TYPES = ['gl-secp256k1', 'gl-secp256r1', 'gl-ed25519', 'gl-webauthn'];

const alephiumHash = alephium('p2pkh', 'addressFromPublicKey of random keys', 100, (web3, random) =>
  web3.addressFromPublicKey(web3.publicKeyFromPrivateKey(hex(random.bytes(32)))),
);
const alephiumScript = alephium('p2sh', 'addressFromScript of random bytes', 50, (web3, random) =>
  web3.addressFromScript(Uint8Array.from(random.bytes(40))),
);
const alephiumMultisig = alephium(
  'p2mpkh',
  'addressFromLockupScript of two to five hashes',
  50,
  (web3, random, i) => {
    const publicKeyHashes = Array.from({ length: 2 + (i % 4) }, () => Uint8Array.from(random.bytes(32)));
    return web3.addressFromLockupScript({ kind: 'P2MPKH', value: { publicKeyHashes, m: 1 + (i % 2) } });
  },
);
const alephiumKey = alephium(
  'p2pk',
  'addressFromPublicKey of random groupless keys',
  100,
  (web3, random, i) => {
    const type = KEY_TYPES[i % 4];
    const address = web3.addressFromPublicKey(
      web3.publicKeyFromPrivateKey(hex(random.bytes(32)), type),
      type,
    );
    if (!web3.isValidAddress(address)) throw new Error('Its own library refuses the address.');
    return i % 3 === 0 ? `${address}:${i % 4}` : address;
  },
);
const alephiumKeys = alephium('p2hmpk', 'addressFromLockupScript of random hashes', 50, (web3, random, i) =>
  web3.addressFromLockupScript({
    kind: 'P2HMPK',
    value: { hash: Uint8Array.from(random.bytes(32)), group: i % 4 },
  }),
);

export const OWN_SCRIPTS = [
  alephiumHash,
  alephiumScript,
  alephiumMultisig,
  alephiumKey,
  alephiumKeys,
  nervosFull,
  nervosShort,
  nervosOldFull,
  ergoKey,
  ergoScript,
  ergoHash,
];
