// Forms of make-samples.mjs for networks whose addresses are like no other's: mostly the chain's own library.
import { createECDH } from 'node:crypto';
import { pathToFileURL } from 'node:url';

const hex = (data) => Buffer.from(data).toString('hex');
const load = (require, name) => import(pathToFileURL(require.resolve(name)).href);

const maker = (network, form, packages, how, count, make) => ({ network, form, packages, how, count, make });

/** A maker whose package is CommonJS, and gives one address for what the random source gives. */
const plain = (network, form, name, how, count, address) =>
  maker(network, form, [name], how, count, (require, random) => {
    const library = require(name);
    return (i) => address(library, random, i);
  });

const stacks = plain(
  'STX',
  'account',
  'c32check',
  'c32address of random hashes, both versions',
  300,
  (c32, random, i) => {
    // One in ten begins with zero bytes, which c32 writes one by one.
    const zeros = i % 10 === 0 ? 1 + random.below(3) : 0;
    const hash = Buffer.concat([Buffer.alloc(zeros), random.bytes(20 - zeros)]);
    return c32.c32address(i % 2 === 0 ? c32.versions.mainnet.p2pkh : c32.versions.mainnet.p2sh, hex(hash));
  },
);

const neo3 = plain(
  'NEO',
  'N3',
  '@cityofzion/neon-core',
  'Account of random keys',
  150,
  (neon, random) => new neon.wallet.Account(hex(random.bytes(32))).address,
);

const walletCore = (network, name, form, count) =>
  maker(
    network,
    form,
    ['@trustwallet/wallet-core'],
    'CoinType.deriveAddress of random keys',
    count,
    async (require, random) => {
      const core = await require('@trustwallet/wallet-core').initWasm();
      return () => {
        const key = core.PrivateKey.createWithData(random.bytes(32));
        // The file parts its addresses by spaces, so the groups of Nimiq are joined.
        return core.CoinTypeExt.deriveAddress(core.CoinType[name], key).replaceAll(' ', '');
      };
    },
  );

const ontology = plain(
  'ONT',
  'account',
  'ontology-ts-sdk',
  'Address.fromPubKey of random keys',
  150,
  (sdk, random) => {
    const { Address, PrivateKey } = sdk.Crypto;
    return Address.fromPubKey(new PrivateKey(hex(random.bytes(32))).getPublicKey()).toBase58();
  },
);

const waves = plain(
  'WAVES',
  'account',
  '@waves/ts-lib-crypto',
  'address of random public keys',
  300,
  (waves, random) => waves.address({ publicKey: Uint8Array.from(random.bytes(32)) }, 'W'),
);

const chia = plain(
  'XCH',
  'puzzle hash',
  'chia-utils',
  'puzzle_hash_to_address of random hashes',
  300,
  (chia, random) => chia.puzzle_hash_to_address(`0x${hex(random.bytes(32))}`, 'xch'),
);

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

const mina = maker(
  'MINA',
  'account',
  ['mina-signer', 'bs58check'],
  'derivePublicKey of random keys',
  300,
  (require, random) => {
    const module = require('mina-signer');
    const Client = module.default ?? module;
    const client = new Client({ network: 'mainnet' });
    const loaded = require('bs58check');
    const bs58check = loaded.default ?? loaded;
    return () => {
      const key = random.bytes(32);
      // Little end first: surely below the order of the curve.
      key[31] &= 0x3f;
      return client.derivePublicKey(bs58check.encode(Buffer.concat([Buffer.of(0x5a, 0x01), key])));
    };
  },
);

const conflux = plain(
  'CFX',
  'Core',
  '@conflux-dev/conflux-address-js',
  'encode of random accounts of users and contracts, every third in capitals with its type',
  300,
  (conflux, random, i) => {
    const account = random.bytes(20);
    account[0] = (i % 2 === 0 ? 0x10 : 0x80) | (account[0] & 0x0f);
    return conflux.encode(account, 1029, i % 3 === 0);
  },
);

const siacoin = maker(
  'SC',
  'account',
  ['@siafoundation/units', 'blakejs'],
  'random hashes with their checksum, judged by isValidAddress',
  300,
  async (require, random) => {
    const { isValidAddress } = require('@siafoundation/units');
    const { blake2b } = require('blakejs');
    return () => {
      const hash = random.bytes(32);
      const address = hex(hash) + hex(blake2b(hash, undefined, 32).subarray(0, 6));
      if (!isValidAddress(address)) throw new Error('The Sia Foundation’s library refuses the address.');
      return address;
    };
  },
);

const icon = plain(
  'ICX',
  'account',
  'icon-sdk-js',
  'IconWallet.loadPrivateKey of random keys',
  300,
  (icon, random) => (icon.default ?? icon).IconWallet.loadPrivateKey(hex(random.bytes(32))).getAddress(),
);

/** The two chains of one SDK: an address of a random public key on the main network. */
const symbol = (network, path, form, count) =>
  maker(
    network,
    form,
    ['symbol-sdk'],
    'Network.MAINNET.publicKeyToAddress of random keys',
    count,
    async (require, random) => {
      const { PublicKey } = await load(require, 'symbol-sdk');
      const { Network } = await load(require, path);
      return () => Network.MAINNET.publicKeyToAddress(new PublicKey(hex(random.bytes(32)))).toString();
    },
  );

const nemOld = plain(
  'XEM',
  'account, nem-sdk',
  'nem-sdk',
  'model.address.toAddress of random public keys',
  20,
  (sdk, random) => (sdk.default ?? sdk).model.address.toAddress(hex(random.bytes(32)), 104),
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

const arweave = maker(
  'AR',
  'account',
  ['arweave'],
  'ownerToAddress of random moduli',
  300,
  (require, random) => {
    const module = require('arweave');
    const { wallets } = (module.default ?? module).init({});
    return () => wallets.ownerToAddress(random.bytes(512).toString('base64url'));
  },
);

const fio = plain(
  'FIO',
  'public key',
  '@fioprotocol/fiojs',
  'PrivateKey.toPublic of random keys',
  300,
  ({ Ecc }, random) => Ecc.PrivateKey.fromBuffer(random.bytes(32)).toPublic().toString(),
);

export const OWN_FORMATS = [
  // First: nem-sdk replaces Uint8Array.slice by one that fails for offsets from the end.
  alephiumHash,
  alephiumScript,
  alephiumMultisig,
  alephiumKey,
  alephiumKeys,
  stacks,
  neo3,
  walletCore('NEO', 'neo', 'Legacy', 150),
  ontology,
  walletCore('ONT', 'ontology', 'wallet', 10),
  waves,
  walletCore('WAVES', 'waves', 'wallet', 10),
  chia,
  nervosFull,
  nervosShort,
  nervosOldFull,
  walletCore('CKB', 'nervos', 'wallet', 10),
  ergoKey,
  ergoScript,
  ergoHash,
  mina,
  conflux,
  siacoin,
  icon,
  walletCore('ICX', 'icon', 'wallet', 10),
  symbol('XEM', 'symbol-sdk/nem', 'account', 150),
  nemOld,
  symbol('XYM', 'symbol-sdk/symbol', 'account', 150),
  walletCore('NIM', 'nimiq', 'account', 300),
  arweave,
  fio,
  walletCore('FIO', 'fio', 'wallet', 10),
];
