// Forms of make-samples.mjs for forks of Bitcoin, and for chains of one line each, from libraries with tables of their own.
import { pathToFileURL } from 'node:url';

const maker = (network, form, packages, how, count, make) => ({ network, form, packages, how, count, make });

/** Base58check with the version byte that coininfo names. */
const versioned = (network, coin, kind) =>
  maker(
    network,
    kind === 'public' ? 'p2pkh' : 'p2sh',
    ['bs58check', 'coininfo'],
    'random hashes behind the version byte of coininfo',
    20,
    (require, random) => {
      const bs58check = require('bs58check');
      const version = require('coininfo')(coin).versions[kind];
      return () => bs58check.encode(Buffer.from([version, ...random.bytes(20)]));
    },
  );

/** Scripts of a key hash and of a script hash, which the encoder turns into addresses. */
const scripts = (network, name) =>
  maker(
    network,
    'p2pkh and p2sh',
    ['@ensdomains/address-encoder'],
    'random hashes in scripts, encoded by name of the coin',
    20,
    async (require, random) => {
      const url = pathToFileURL(require.resolve('@ensdomains/address-encoder'));
      const { getCoderByCoinName } = await import(url.href);
      return (i) => {
        const hash = random.bytes(20);
        const script = i % 2 === 0 ? [0x76, 0xa9, 20, ...hash, 0x88, 0xac] : [0xa9, 20, ...hash, 0x87];
        return getCoderByCoinName(name).encode(Uint8Array.from(script));
      };
    },
  );

/** The two version bytes that the encoder demands in front. */
const horizen = maker(
  'ZEN',
  'zn and zs',
  ['@ensdomains/address-encoder'],
  'random hashes behind versions that the encoder takes',
  20,
  async (require, random) => {
    const { getCoderByCoinName } = await import(
      pathToFileURL(require.resolve('@ensdomains/address-encoder')).href
    );
    return (i) =>
      getCoderByCoinName('zen').encode(
        Uint8Array.from([0x20, i % 2 === 0 ? 0x89 : 0x96, ...random.bytes(20)]),
      );
  },
);

const groestlcoin = maker(
  'GRS',
  'p2pkh and p2sh',
  ['bs58grscheck'],
  'random hashes',
  200,
  async (require, random) => {
    const module = require('bs58grscheck');
    const { encode } = module.default ?? module;
    return (i) => encode(Uint8Array.from([i % 2 === 0 ? 0x24 : 0x05, ...random.bytes(20)]));
  },
);

const starknet = (form, address) =>
  maker('STRK', form, ['starknet'], 'getChecksumAddress of random numbers', 150, (require, random) => {
    const { getChecksumAddress } = require('starknet');
    return () => {
      const bytes = random.bytes(32);
      bytes[0] &= 7;
      return address(getChecksumAddress(`0x${bytes.toString('hex')}`));
    };
  });

const avalanche = (network, letter) =>
  maker(
    network,
    'account',
    ['@ensdomains/address-encoder'],
    'random hashes, with the letter of the chain in front',
    150,
    async (require, random) => {
      const { getCoderByCoinName } = await import(
        pathToFileURL(require.resolve('@ensdomains/address-encoder')).href
      );
      return () => `${letter}-${getCoderByCoinName('avax').encode(Uint8Array.from(random.bytes(20)))}`;
    },
  );

const substrate = (network, prefix) =>
  maker(
    network,
    'account',
    ['@polkadot/util-crypto'],
    'encodeAddress of random keys',
    150,
    (require, random) => {
      const { encodeAddress } = require('@polkadot/util-crypto');
      return () => encodeAddress(random.bytes(32), prefix);
    },
  );

export const FORKS = [
  versioned('VTC', 'VTC', 'public'),
  versioned('VTC', 'VTC', 'scripthash'),
  versioned('PPC', 'PPC', 'public'),
  versioned('PPC', 'PPC', 'scripthash'),
  versioned('NMC', 'NMC', 'public'),
  ...['BTG btg', 'FIRO firo', 'KMD kmd', 'XVG xvg', 'SYS sys', 'FLUX flux', 'MONA mona', 'PPC ppc'].map(
    (pair) => scripts(...pair.split(' ')),
  ),
  horizen,
  groestlcoin,
  starknet('whole', (address) => address),
  starknet('without zeros in front', (address) => address.replace(/^0x0+/, '0x')),
  avalanche('AVAXX', 'X'),
  avalanche('AVAXP', 'P'),
  substrate('TAO', 42),
  substrate('ASTR', 5),
];
