import { Address as TonAddress } from '@ton/core';
import bchaddr from 'bchaddrjs';
import { bech32, bech32m } from 'bech32';
import bs58check from 'bs58check';
import { encodeCashAddress } from 'ecashaddrjs';
import fc from 'fast-check';
import { classicAddressToXAddress, encodeAccountID } from 'ripple-address-codec';
import { flowAccount } from './encoders.ts';
import { type Form, INDEPENDENT } from './independent.ts';

type Sample = fc.Arbitrary<string>;

export const raw = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length });
const hash = raw(20);

const form = (network: string, name: string, sample: Sample): Form => ({ network, form: name, sample });

// Version bytes of the nodes' chainparams.cpp; Wallet Core's own table is the second source.
const base58check = (...prefix: number[]): Sample =>
  hash.map((data) => bs58check.encode(Buffer.from([...prefix, ...data])));

const pubKeyAndScript = (network: string, pubKey: number[], script: number[]): Form[] => [
  form(network, 'p2pkh', base58check(...pubKey)),
  form(network, 'p2sh', base58check(...script)),
];

const oneOf = (...lengths: number[]): fc.Arbitrary<Uint8Array> => fc.constantFrom(...lengths).chain(raw);

const plainBech32 = (prefix: string, ...lengths: number[]): Sample =>
  oneOf(...lengths).map((data) => bech32.encode(prefix, bech32.toWords(data)));

const segwit = (network: string, prefix: string): Form[] => {
  const zero = oneOf(20, 32).map((program) => bech32.encode(prefix, [0, ...bech32.toWords(program)]));
  const one = raw(32).map((program) => bech32m.encode(prefix, [1, ...bech32m.toWords(program)]));
  return [form(network, 'segwit version 0', zero), form(network, 'segwit version 1', one)];
};

const bitcoinCash = fc.oneof(base58check(0), base58check(5)).chain((address) => {
  const cash = bchaddr.toCashAddress(address);
  return fc.constantFrom(address, cash, cash.toUpperCase(), cash.slice(cash.indexOf(':') + 1));
});

const ecash = fc
  .tuple(fc.constantFrom('p2pkh' as const, 'p2sh' as const), hash)
  .map(([type, data]) => encodeCashAddress('ecash', type, data));

const xrp = hash.map((account) => encodeAccountID(Buffer.from(account)));
const xAddress = fc
  .tuple(xrp, fc.option(fc.integer({ min: 0, max: 2 ** 32 - 1 })))
  .map(([classic, tag]) => classicAddressToXAddress(classic, tag ?? false, false));

const ton = fc
  .tuple(raw(32), fc.boolean(), fc.boolean())
  .map(([account, bounceable, urlSafe]) =>
    new TonAddress(0, Buffer.from(account)).toString({ bounceable, urlSafe }),
  );

const lowerCase = hash.map((data) => `0x${Buffer.from(data).toString('hex')}`);

// The two check digits of Nimiq let one error in 97 pass, where a digit stands for a letter.
const NO_CHECKSUM = new Set(['SOL', 'SUI', 'APT', 'NEAR', 'EOS', 'ICX', 'AR', 'NIM']);
const hasChecksum = ({ network, form }: Form): boolean =>
  !NO_CHECKSUM.has(network) && !(network === 'ALPH' && ['p2pkh', 'p2sh', 'p2mpkh'].includes(form));

const parts = fc.array(fc.stringMatching(/^[a-z][a-z\d-]{1,6}[a-z\d]$/), { minLength: 1, maxLength: 3 });
const graphene = parts.map((names) => names.join('.')).filter((name) => name.length <= 16 && name !== 'temp');

/** Random addresses of every form that carries a checksum. */
export const CHECKSUMMED: readonly Form[] = [
  ...pubKeyAndScript('BTC', [0x00], [0x05]),
  ...segwit('BTC', 'bc'),
  ...pubKeyAndScript('LTC', [0x30], [0x32]),
  ...segwit('LTC', 'ltc'),
  ...pubKeyAndScript('DOGE', [0x1e], [0x16]),
  ...pubKeyAndScript('DASH', [0x4c], [0x10]),
  ...pubKeyAndScript('DGB', [0x1e], [0x3f]),
  ...segwit('DGB', 'dgb'),
  ...pubKeyAndScript('RVN', [0x3c], [0x7a]),
  ...pubKeyAndScript('ZEC', [0x1c, 0xb8], [0x1c, 0xbd]),
  ...pubKeyAndScript('KMD', [0x3c], [0x55]),
  ...pubKeyAndScript('PIVX', [0x1e], [0x0d]),
  ...pubKeyAndScript('ZEN', [0x20, 0x89], [0x20, 0x96]),
  ...segwit('SYS', 'sys'),
  form('TRX', 'account', base58check(0x41)),
  form('BCH', 'CashAddr and legacy', bitcoinCash),
  form('XEC', 'CashAddr', ecash),
  form('XRP', 'classic', xrp),
  form('XRP', 'X-address', xAddress),
  form('TON', 'user-friendly', ton),
  ...['ATOM cosmos', 'OSMO osmo', 'INJ inj', 'SCRT secret', 'RUNE thor'].map((chain) => {
    const [network = '', prefix = ''] = chain.split(' ');
    return form(network, 'account', plainBech32(prefix, 20, 32));
  }),
  form('EGLD', 'account', plainBech32('erd', 32)),
  form('ZIL', 'account', plainBech32('zil', 20)),
  form('FLOW', 'account', fc.bigInt({ min: 6n, max: 2n ** 45n - 1n }).map(flowAccount)),
  ...INDEPENDENT.filter(hasChecksum),
];

/** Random addresses of forms without a checksum; no one's library makes names, so those of NEAR are ours. */
export const UNCHECKED: readonly Form[] = [
  ...INDEPENDENT.filter((made) => !hasChecksum(made)),
  form('ETH', 'lower case', lowerCase),
  form('HIVE', 'account name', graphene),
  form(
    'KDA',
    'single key',
    raw(32).map((key) => `k:${Buffer.from(key).toString('hex')}`),
  ),
  form('NEAR', 'name', fc.stringMatching(/^[a-z\d]{3,12}([-_][a-z\d]{1,9})?\.near$/)),
];
