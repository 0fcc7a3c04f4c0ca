import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkAddress } from '../../../../src/core/swap/addresses/check.ts';

const NANO_ACCOUNT = '15dng9kx49xfumkm4q6qpaxneie6oynebiwpums3ktdd6t3f3dhp69nxgb38';

describe('the canonical form of an address', () => {
  test.each([
    ['ETH', '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
    ['BTC', 'BC1QVYQ0CC6RAHYVSAZFDJE0TWL7EZ82NDMUAC2LHV', 'bc1qvyq0cc6rahyvsazfdje0twl7ez82ndmuac2lhv'],
    ['BCH', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['BCH', '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC', 'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
    ['BCH', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'bchtest:qqjr7yu573z4faxw8ltgvjwpntwys08fysk07zmvce'],
    ['XEC', '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'ectest:pp8f7ww2g6y07ypp9r4yendrgyznysc9kqar53xw7t'],
    [
      'BCH',
      'QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A',
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    ],
    [
      'TON',
      'EQAs9VlT6S776tq3unJcP5Ogsj+ELLunLXuOb1EKcOQi4wJB',
      'EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wJB',
    ],
    ['XNO', `xrb_${NANO_ACCOUNT}`, `nano_${NANO_ACCOUNT}`],
  ])('of %s %s is %s', async (code, address, canonical) => {
    expect(await checkAddress(code, address)).toMatchObject({ ok: true, canonical });
  });
});

describe('a valid address', () => {
  test.each([
    ['ETH', '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359', 'lower case'],
    ['SOL', 'AHy6YZA8BsHgQfVkk7MbwpAN94iyN7Nf1zN4nPqUN32Q', 'no checksum'],
    ['SOL', '6X4X1Ae24mkoWeCEpktevySVG9jzeCufut5vtUW3wFrD', 'of a program'],
    ['SUI', '0x21dcef5bbc5ec6d1789e8b92d3cb2c4d6855da09bd8197f8b256ca15714a7c47', 'no checksum'],
    ['EOS', 'binancecleos', 'no checksum'],
    ['NEAR', 'bowen', 'no ending'],
    ['HBAR', '0.0.1377988', 'without its checksum'],
    ['BCH', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', 'also a Bitcoin address'],
    ['LTC', '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC', 'Another chain'],
    ['BTC', 'bc1pfeessrawgf', 'anyone could take'],
    ['BTC', 'BC1SW50QGDZ25J', 'anyone could take'],
    ['TON', '0:2cf55953e92efbeadab7ba725c3f93a0b23f842cbba72d7b8e6f510a70e422e3', 'raw form'],
    ['TON', 'Ef_lZ1T4NCb2mwkme9h2rJfESCE0W34ma9lWp7-_uY3zXDvq', 'masterchain'],
    ['ZEC', 'tex1auz6gx89x2wcku6gswdvaz2nf9x3seex6px6v0', 'TEX'],
    ['NOSUCHNET', 'some-account', 'not verified for network NOSUCHNET'],
  ])('on %s, %s raises a warning: %s', async (code, address, words) => {
    const verdict = await checkAddress(code, address);
    expect(verdict.ok && verdict.warnings.join(' ')).toContain(words);
  });

  test('raises no warning if it has an ordinary checksum', async () => {
    expect(await checkAddress('BTC', 'bc1qvyq0cc6rahyvsazfdje0twl7ez82ndmuac2lhv')).toEqual({
      ok: true,
      network: 'BTC',
      kind: 'p2wpkh',
      testnet: false,
      canonical: 'bc1qvyq0cc6rahyvsazfdje0twl7ez82ndmuac2lhv',
      warnings: [],
      verified: true,
    });
  });
});

describe('a burn or system address', () => {
  test.each([
    ['BTC', '1BitcoinEaterAddressDontSendf59kuE'],
    ['BTC', '1111111111111111111114oLvT2'],
    ['ETH', '0x0000000000000000000000000000000000000000'],
    ['BSC', '0x000000000000000000000000000000000000dEaD'],
    ['ETH', '0x0000000000000000000000000000000000000009'],
    ['BASE', '0x4200000000000000000000000000000000000006'],
    ['TRX', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
    ['TRX', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'],
    ['SOL', '11111111111111111111111111111111'],
    ['SOL', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
    ['XLM', 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF'],
    ['TON', 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c'],
    ['TON', `-1:${'3'.repeat(64)}`],
    ['TON', `-1:${'5'.repeat(64)}`],
    ['ALGO', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ'],
    ['XTZ', 'tz1burnburnburnburnburnburnburjAYjjX'],
    ['DOT', '111111111111111111111111111111111HC1'],
    ['SUI', `0x${'0'.repeat(63)}2`],
    ['APT', `0x${'0'.repeat(63)}a`],
    ['FIL', 'f3yaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaby2smx7a'],
    ['NEAR', 'system'],
    ['DOGE', 'DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr'],
    ['ZEC', 't1VxxxxxxxxxxxxxxxxxxxxxxxxxxxSxYw9'],
    ['ADA', 'addr1vyqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqkdl5mw'],
  ])('is rejected on %s: %s', async (code, address) => {
    expect(await checkAddress(code, address)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('burn or system address'),
    });
  });
});

test('an address too short for its network is not reported as one of another network', async () => {
  expect(await checkAddress('APT', '0xa')).toMatchObject({
    reason: expect.not.stringContaining('another network'),
  });
});

test('a Cardano address without a stake key is of kind shelley-enterprise', async () => {
  const address = 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8';
  expect(await checkAddress('ADA', address)).toMatchObject({ ok: true, kind: 'shelley-enterprise' });
});

test('a Filecoin ID below 100 is unspendable', async () => {
  expect(await checkAddress('FIL', 'f099')).toMatchObject({ ok: true, unspendable: true });
  expect(await checkAddress('FIL', 'f0100')).not.toHaveProperty('unspendable');
});

describe('a private key or seed phrase given as an address', () => {
  const phrase =
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
  test.each([
    ['BTC', '5JuW2AMDYu4xVwRG9DZW18VbzQrGcd5RCgb99sS6ehJsNQXu5b9', 'a private key'],
    ['NOSUCHNET', 'L5nJeqKmpHp4P7F8ZYyjwc5a7P4d8EabuGAzfGJk7yC1BJyzNaEd', 'a private key'],
    ['NOSUCHNET', 'QP5rQxpaP8HHPEdCEqxTjiHGWRvsyPvzZJeJ9BCxpfT13FN9VesQ', 'a private key'],
    ['NOSUCHNET', 'ST11jpBA9JTDttGkXoJWRgRXs3mSSUw9aTg1iMzebQy5nkoXBr7N', 'a private key'],
    ['XRP', 'sn259rEFXrQrWyx3Q7XneWcwV6dfL', 'an XRP Ledger seed'],
    ['XRP', 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2', 'an XRP Ledger seed'],
    ['NOSUCHNET', `S${'A'.repeat(55)}`, 'a Stellar secret seed'],
    ['ETH', 'ab'.repeat(32), 'a private key or a hash'],
    ['ETH', `0x${'ab'.repeat(32)}`, 'a private key or a hash'],
    ['NOSUCHNET', `0x${'ab'.repeat(32)}`, 'a private key or a hash'],
    ['BTC', phrase, 'a seed phrase'],
    ['NEAR', phrase, 'a seed phrase'],
    ['BTC', 'foo bar baz qux foo bar baz qux foo bar baz qux', 'a seed phrase'],
  ])('on %s is rejected without being repeated: %s', async (code, secret, kind) => {
    const verdict = await checkAddress(code, secret);
    expect(verdict).toMatchObject({ ok: false, reason: expect.stringContaining(`looks like ${kind},`) });
    expect(JSON.stringify(verdict)).not.toContain(secret);
  });
});

describe('an address of another network', () => {
  test.each([
    ['BTC', 'DD4KSSuBJqcjuTcvUg1CgUKeurPUFeEZkE', 'Dogecoin'],
    ['ETH', 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC', 'TRON'],
    ['NEAR', 'cosmos1hsk6jryyqjfhp5dhc55tc9jtckygx0eph6dd02', 'another network'],
    ['STX', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59', 'XRP Ledger'],
    ['STX', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'another EVM network'],
    // 32 bytes in base58, were it not bech32.
    ['SOL', 'osmo1qxnsvqg9aq2sykqqr87qwqdv5m7qd4szxcc687', 'Osmosis'],
  ])('on %s, %s is reported as belonging to %s', async (code, address, name) => {
    expect(await checkAddress(code, address)).toMatchObject({
      ok: false,
      reason: expect.stringContaining(name),
    });
  });

  test.each([
    ['bc1qvyq0cc6rahyvsazfdje0twl7ez82ndmuac2lhv', 'Bitcoin', false],
    ['TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC', 'TRON', false],
    ['r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59', 'XRP Ledger', false],
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'Bitcoin', true],
  ])(
    'on an unknown network, %s raises a warning that it looks like one of %s',
    async (address, name, testnet) => {
      expect(await checkAddress('NOSUCHNET', address)).toEqual({
        ok: true,
        network: 'NOSUCHNET',
        kind: 'unverified',
        testnet,
        canonical: address,
        warnings: [
          'The address is not verified for network NOSUCHNET: swapctl does not know its rules, so compare every character.',
          `The address looks like one of ${name}, but the service calls the network NOSUCHNET: make sure that both are the same chain or use the same address format.`,
        ],
        verified: false,
      });
    },
  );

  test('is accepted on an unknown network if many chains share its format', async () => {
    expect(await checkAddress('NOSUCHNET', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toMatchObject({
      ok: true,
      verified: false,
    });
  });
});

describe('an address on an unknown network', () => {
  test.each([
    '',
    'x',
    'a b',
    'ab\n',
    'аб',
    'a\u200bb',
    'a'.repeat(257),
    '"abc"',
    'abc,',
    'a/b',
    'a+b',
    'a@b',
    '<a>',
  ])('%j is rejected', async (address) => {
    expect(await checkAddress('NOSUCHNET', address)).toMatchObject({ ok: false, network: 'NOSUCHNET' });
  });

  test.each(['ab', 'some-account', 'a.b_c:D-1', 'a'.repeat(256)])(
    '%j is accepted but not verified',
    async (address) => {
      expect(await checkAddress('NOSUCHNET', address)).toMatchObject({
        ok: true,
        verified: false,
        canonical: address,
      });
    },
  );

  test.each([
    ['0x000000000000000000000000000000000000dEaD', 'burn or system address'],
    ['1BitcoinEaterAddressDontSendf59kuE', 'burn or system address'],
    ['rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'burn or system address'],
    ['11111111111111111111111111111111', 'burn or system address'],
    ['0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'EIP-55'],
  ])('%s is rejected: %s', async (address, words) => {
    const verdict = await checkAddress('NOSUCHNET', address);
    expect(verdict).toMatchObject({ ok: false, reason: expect.stringContaining(words) });
  });
});

describe('an address from the documentation of its network', () => {
  test.each([
    ['KAS', 'kaspa:qqj9fg59mptxkr9j0y53j5mwurcmda5mtza9n6v9pm9uj8h0wgk6uma5pvumr', 'schnorr'],
    ['KAS', 'kaspa:qyp4scvsxvkrjxyq98gd4xedhgrqtmf78l7wl8p8p4j0mjuvpwjg5cqhy97n472', 'ecdsa'],
    ['XEC', 'ecash:pqh4utv0fm35eng6gycfwkuluc6l7e0q9vwsflwuys', 'p2sh'],
    ['XEC', 'ecash:qrffwzluvsghuwtach9h4xh7n79j9h9p7ydz0x997x', 'p2pkh'],
    ['HBAR', '0.0.1234567890-zbhlt', 'account-id'],
    ['HBAR', '12.345.6789-aoyyt', 'account-id'],
    ['ZIL', 'zil1fwh4ltdguhde9s7nysnp33d5wye6uqpugufkz7', 'account'],
    [
      'ADA',
      'addr1z8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gten0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs9yc0hh',
      'shelley-base',
    ],
  ])('on %s, %s is of kind %s', async (code, address, kind) => {
    expect(await checkAddress(code, address)).toMatchObject({ ok: true, kind, testnet: false });
  });
});

test('on an unknown network, hex with a valid ICP checksum is an address, and without it a secret', async () => {
  const body = Buffer.alloc(28, 7);
  const account = `${crc32(body).toString(16).padStart(8, '0')}${body.toString('hex')}`;
  expect(await checkAddress('NOSUCHNET', account)).toMatchObject({ ok: true, kind: 'unverified' });
  expect(await checkAddress('NOSUCHNET', `0${account.slice(1)}`)).toMatchObject({ ok: false, secret: true });
});
