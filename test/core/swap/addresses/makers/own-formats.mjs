// Forms of make-samples.mjs for networks whose addresses are like no other's: mostly the chain's own library.
import { pathToFileURL } from 'node:url';
import { OWN_SCRIPTS } from './own-scripts.mjs';

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
  ...OWN_SCRIPTS,
  stacks,
  neo3,
  walletCore('NEO', 'neo', 'Legacy', 150),
  ontology,
  walletCore('ONT', 'ontology', 'wallet', 10),
  waves,
  walletCore('WAVES', 'waves', 'wallet', 10),
  chia,
  walletCore('CKB', 'nervos', 'wallet', 10),
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
