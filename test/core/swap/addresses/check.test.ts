import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkAddress } from '../../../../src/core/swap/addresses/check.ts';
import { words } from '../../../helpers/words.ts';

const refused = (words: string) => ({ ok: false, reason: expect.stringContaining(words) });
const NANO_ACCOUNT = '15dng9kx49xfumkm4q6qpaxneie6oynebiwpums3ktdd6t3f3dhp69nxgb38';

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
])('the canonical form of an address of %s %s is %s', async (code, address, canonical) => {
  expect(await checkAddress(code, address)).toMatchObject({ ok: true, canonical });
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
    ['CKB', 'ckb1qyqt8xaupvm8837nv3gtc9x0ekkj64vud3jqfwyw5v', 'an older form'],
    ['CKB', 'ckb1qyq5lv479ewscx3ms620sv34pgeuz6zagaaqklhtgg', 'an older form'],
    [
      'CKB',
      'ckb1qjda0cr08m85hc8jlnfp3zer7xulejywt49kt2rr0vthywaa50xw3vumhs9nvu786dj9p0q5elx66t24n3kxgj53qks',
      'pass unnoticed',
    ],
    ['ERG', '4MQyML64GnzMxZgm', 'a contract'],
    ['NEO', 'AK2nJJpJr6o664CWJKi1QRXjqeic2zRp8y', 'Neo Legacy'],
    ['ALPH', '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH', 'no checksum'],
    ['AR', 'vLRHFqCw1uHu75xqB4fCDW-QxpkpJxBtFD9g4QYUbfw', 'no checksum'],
    ['ICX', 'hxbe258ceb872e08851f1f59694dac2558708ece11', 'no checksum'],
    ['ICX', 'cxb0776ee37f5b45bfaea8cff1d8232fbb6122ec32', 'a contract'],
    ['KDA', 'k:554754f48b16df24b552f6832dda090642ed9658559fef9f3ee1bb4637ea7c94', 'no checksum'],
    ['KDA', 'w:fxXEbXpHlU1ycqxrCOWl0PHfxQiKnhFqyHJFFU2Do9o:keys-all', 'several keys'],
    ['FLOW', '0x0b2a3299cc857e29', 'Few programs'],
    ['HIVE', 'deepcrypto8', 'no checksum'],
    ['STEEM', 'abc-1.b2c', 'no checksum'],
  ])('on %s, %s raises a warning: %s', async (code, address, part) => {
    const verdict = await checkAddress(code, address);
    expect(verdict.ok && verdict.warnings.join(' ')).toContain(part);
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
    ['STX', 'SP000000000000000000002Q6VF78'],
    ['SC', `${'0'.repeat(64)}89eb0d6a8a69`],
    ['MINA', 'B62qiTKpEPjGTSHZrtM8uXiKgn8So916pLmNJKDhKeyBQL9TDb3nvBG'],
    ['ICX', 'hx1000000000000000000000000000000000000000'],
    ['ICX', `cx${'0'.repeat(40)}`],
    ['NEO', 'NiHURyS83nX2mpxtA7xq84cGxVbHojj5Wc'],
    ['NEO', 'NepwUjd9GhqgNkrfXaxj9mmsFhFzGoFuWM'],
    ['NEO', 'AFmseVrdL9f9oyCzZefL9tG6UbvhPbdYzM'],
    ['ONT', 'AFmseVrdL9f9oyCzZefL9tG6UbvhUMqNMV'],
    ['KDA', `k:${'0'.repeat(64)}`],
    ['AR', 'A'.repeat(43)],
    ...words('null temp miners').map((name) => ['HIVE', name]),
  ])('is rejected on %s: %s', async (code = '', address = '') => {
    expect(await checkAddress(code, address)).toMatchObject(refused('burn or system address'));
  });

  // Their own documents list these as valid, so they may be described.
  test.each([
    ['CFX', 'cfx:aaejuaaaaaaaaaaaaaaaaaaaaaaaaaaaaegg2r16ar'],
    ['CFX', 'cfx:type.null:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa0sfbnjm2'],
    ['NIM', `NQ07${'0'.repeat(32)}`],
    ['XEM', 'NAMESPACEWH4MKFMBCVFERDPOOP4FK7MTBXDPZZA'],
    ['FLOW', '0xe467b9dd11fa00df'],
    ['FLOW', '0x1654653399040a61'],
  ])('is unspendable even if its network calls it valid: %s %s', async (code, address) => {
    expect(await checkAddress(code, address)).toMatchObject({ ok: true, unspendable: true });
  });
});

test('an address too short for its network is not reported as one of another network', async () => {
  const reason = expect.not.stringContaining('another network');
  expect(await checkAddress('APT', '0xa')).toMatchObject({ reason });
});

test('a Filecoin ID below 100 is unspendable', async () => {
  expect(await checkAddress('FIL', 'f099')).toMatchObject({ ok: true, unspendable: true });
  expect(await checkAddress('FIL', 'f0100')).not.toHaveProperty('unspendable');
});

const phrase = `${'abandon '.repeat(11)}about`;
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
  ['STX', `${'ab'.repeat(32)}01`, 'a private key or a hash'],
  ['XEM', `00${'ab'.repeat(32)}`, 'a private key or a hash'],
  ['XCH', `0x${'ab'.repeat(32)}`, 'a private key or a hash'],
  ['MINA', 'EKEhqeK2qJbMcNMJoRGsZk1tTVJqGqjwTGbSmrDFqWmHBTPNvvUU', 'a private key'],
  ['HIVE', 'P5JuW2AMDYu4xVwRG9DZW18VbzQrGcd5RCgb99sS6ehJsNQXu5b9', 'a private key'],
  ['NEO', 'L5nJeqKmpHp4P7F8ZYyjwc5a7P4d8EabuGAzfGJk7yC1BJyzNaEd', 'a private key'],
  ['AR', `{"kty":"RSA","n":"${'x'.repeat(600)}"}`, 'a private key'],
  ['AR', `{"d":"${'x'.repeat(600)}","kty":"RSA"}`, 'a private key'],
  ['WAVES', '7kPFrHDiGw1rCm7LszuECwWYL3dMf6iMifLRDJQZMzy', 'a private or public key'],
])('a secret given as an address on %s is rejected and not repeated: %s', async (code, secret, kind) => {
  const verdict = await checkAddress(code, secret);
  expect(verdict).toMatchObject({ secret: true, ...refused(`looks like ${kind},`) });
  expect(JSON.stringify(verdict)).not.toContain(secret);
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
    ['BTC', 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7', 'Stacks'],
    ['ETH', 'cfx:aarc9abycue0hhzgyrr53m6cxedgccrmmyybjgh4xg', 'Conflux Core'],
    ['ONT', 'NNLi44dJNXtDNSBkofB48aTVYtb1zZrNEs', 'Neo'],
    ['XEM', 'NCXA27ZKAB6EETN73DGNP4QLXHYHXAVTD2JQVSQ', 'Symbol'],
    ['SC', 'FIO7tkpmicyK2YWShSKef6B9XXqBN6LpDJo69oRDfhn67CEnj3L2G', 'FIO'],
    ['MINA', '9fRAWhdxEsTcdb8PhGNrZfwqa65zfkuYHAMmkQLcic1gdLSV5vA', 'Ergo'],
    ['ERG', '3PJaDyprvekvPXPuAtxrapacuDJopgJRaU3', 'Waves'],
  ])('on %s, %s is reported as belonging to %s', async (code, address, name) => {
    expect(await checkAddress(code, address)).toMatchObject(refused(name));
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
    const verdict = await checkAddress('NOSUCHNET', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
    expect(verdict).toMatchObject({ ok: true, verified: false });
  });
});

describe('an address on an unknown network', () => {
  test.each(['', 'a b', 'ab\n', 'a'.repeat(257), ...words('x аб a\u200bb "abc" abc, a/b a+b a@b <a>')])(
    '%j is rejected',
    async (address) => {
      expect(await checkAddress('NOSUCHNET', address)).toMatchObject({ ok: false, network: 'NOSUCHNET' });
    },
  );

  test.each(['ab', 'some-account', 'a.b_c:D-1', 'a'.repeat(256)])('%j is not verified', async (address) => {
    const verdict = await checkAddress('NOSUCHNET', address);
    expect(verdict).toMatchObject({ ok: true, verified: false, canonical: address });
  });

  test.each([
    ['0x000000000000000000000000000000000000dEaD', 'burn or system address'],
    ['1BitcoinEaterAddressDontSendf59kuE', 'burn or system address'],
    ['rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'burn or system address'],
    ['11111111111111111111111111111111', 'burn or system address'],
    ['0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'EIP-55'],
  ])('%s is rejected: %s', async (address, part) => {
    expect(await checkAddress('NOSUCHNET', address)).toMatchObject(refused(part));
  });
});

describe('an address from the documentation of its network', () => {
  test.each([
    ['KAS', 'kaspa:qqj9fg59mptxkr9j0y53j5mwurcmda5mtza9n6v9pm9uj8h0wgk6uma5pvumr', 'schnorr'],
    ['KAS', 'kaspa:qyp4scvsxvkrjxyq98gd4xedhgrqtmf78l7wl8p8p4j0mjuvpwjg5cqhy97n472', 'ecdsa'],
    ['XEC', 'ecash:pqh4utv0fm35eng6gycfwkuluc6l7e0q9vwsflwuys', 'p2sh'],
    ['XEC', 'ecash:qrffwzluvsghuwtach9h4xh7n79j9h9p7ydz0x997x', 'p2pkh'],
    ['HBAR', '0.0.1234567890-zbhlt', 'account-id'],
    ['ZIL', 'zil1fwh4ltdguhde9s7nysnp33d5wye6uqpugufkz7', 'account'],
    [
      'ADA',
      'addr1z8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gten0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs9yc0hh',
      'shelley-base',
    ],
    ['ADA', 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8', 'shelley-enterprise'],
    ['STX', 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7', 'single-signature'],
    ['STX', 'SM2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKQVX8X0G', 'multi-signature'],
    ['XCH', 'xch1f0ryxk6qn096hefcwrdwpuph2hm24w69jnzezhkfswk0z2jar7aq5zzpfj', 'puzzle-hash'],
    [
      'CKB',
      'ckb1qzda0cr08m85hc8jlnfp3zer7xulejywt49kt2rr0vthywaa50xwsqdnnw7qkdnnclfkg59uzn8umtfd2kwxceqxwquc4',
      'full',
    ],
    ['CFX', 'cfx:aarc9abycue0hhzgyrr53m6cxedgccrmmyybjgh4xg', 'user'],
    ['CFX', 'CFX:TYPE.USER:AARC9ABYCUE0HHZGYRR53M6CXEDGCCRMMYYBJGH4XG', 'user'],
    ['CFX', 'cfx:acc7uawf5ubtnmezvhu9dhc6sghea0403y2dgpyfjp', 'contract'],
    ['ERG', '9fRAWhdxEsTcdb8PhGNrZfwqa65zfkuYHAMmkQLcic1gdLSV5vA', 'p2pk'],
    ['ERG', '8UApt8czfFVuTgQmMwtsRBZ4nfWquNiSwCWUjMg', 'p2sh'],
    ['MINA', 'B62qiy32p8kAKnny8ZFwoMhYpBppM1DWVCqAPBYNcXnsAHhnfAAuXgg', 'account'],
    ['ALPH', '3cUr7V1JE8Ct3d9eTm5gewMTN1BeF8TGVz4NkLY5Bbuijob9kFY2c', 'p2pk'],
    ['NEO', 'NNLi44dJNXtDNSBkofB48aTVYtb1zZrNEs', 'n3'],
    ['GAS', 'NNLi44dJNXtDNSBkofB48aTVYtb1zZrNEs', 'n3'],
    ['ONT', 'AK2nJJpJr6o664CWJKi1QRXjqeic2zRp8y', 'account'],
    ['FIO', 'FIO7tkpmicyK2YWShSKef6B9XXqBN6LpDJo69oRDfhn67CEnj3L2G', 'public-key'],
    ['WAVES', '3PJaDyprvekvPXPuAtxrapacuDJopgJRaU3', 'account'],
    ['TON', 'EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wJB', 'bounceable'],
    ['STRK', '0x04718f5a0Fc34cC1AF16A1cdee98fFB20C31f5cD61D6Ab07201858f4287c938D', 'account'],
  ])('on %s, %s is of kind %s and raises no warning', async (code, address, kind) => {
    const verdict = await checkAddress(code, address);
    expect(verdict).toMatchObject({ ok: true, kind, testnet: false, warnings: [] });
  });

  test.each([
    ['STX', 'ST2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKQYAC0RQ'],
    ['STX', 'SN2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKP6D2ZK9'],
    [
      'CKB',
      'ckt1qr6k6tltndf5kh09zl4p63wju9cejya9mangkkns3aaugkm6mm8tgq2vctn9ycsy4e4zar70ztm663e0gxskqm2mjcjta67jzhtcpqyldff9d38e4h6hpw6rvzjvtg29mtjjr69dzwpedzjdayled8ufjr2ln5reqgqqqqqqqqgpreg7',
    ],
    ['CFX', 'cfxtest:acc7uawf5ubtnmezvhu9dhc6sghea0403ywjz6wtpg'],
    ['ERG', '3WvsT2Gm4EpsM9Pg18PdY6XyhNNMqXDsvJTbbf6ihLvAmSb7u5RN'],
    ['ERG', 'rbcrmKEYduUvADj9Ts3dSVSG27h54pgrq5fPuwB'],
    ['ERG', 'Ms7smJwLGbUAjuWQ'],
    ['WAVES', '3N1HYdheNiiTtHgi2n3jLAek6N3H4guaciG'],
    ['XYM', 'TATNE7Q5BITMUTRRN6IB4I7FLSDRDWZA37JGO5Q'],
    ['XEM', 'TALICEROONSJCPHC63F52V6FY3SDMSVAEUGHMB7C'],
    ['FLOW', '0x7e60df042a9c0868'],
    ['FLOW', '0x9a0766d93b6608b7'],
    ['FLOW', '0x631e88ae7f1d7c20'],
    ['FLOW', '0x912d5440f7e3769e'],
    ['FLOW', '0xf8d6e0586b0a20c7'],
  ])('on %s, %s belongs to a test network', async (code, address) => {
    expect(await checkAddress(code, address)).toMatchObject({ ok: true, testnet: true });
  });
});

test('on an unknown network, hex with a valid ICP checksum is an address, and without it a secret', async () => {
  const body = Buffer.alloc(28, 7);
  const account = `${crc32(body).toString(16).padStart(8, '0')}${body.toString('hex')}`;
  expect(await checkAddress('NOSUCHNET', account)).toMatchObject({ ok: true, kind: 'unverified' });
  expect(await checkAddress('NOSUCHNET', `0${account.slice(1)}`)).toMatchObject({ ok: false, secret: true });
});

test.each([
  ['STX', 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7.token', 'a contract'],
  ['STX', 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ8', 'The address has the wrong checksum.'],
  ['SC', `${'1'.repeat(64)}89eb0d6a8a69`, 'The address has the wrong checksum.'],
  ['ALPH', 'uomjgUz6D4tLejTkQtbNJMY8apAjTm1bgQf7em1wDV7S', 'a contract'],
  ['CFX', 'aarc9abycue0hhzgyrr53m6cxedgccrmmyybjgh4xg', 'cfx: in full'],
  ['CFX', 'cfx:type.contract:aarc9abycue0hhzgyrr53m6cxedgccrmmyybjgh4xg', 'does not match the type'],
  ['CFX', 'cfx:aaRC9abycue0hhzgyrr53m6cxedgccrmmyybjgh4xg', 'mixes cases'],
  ['KDA', 'alice', 'free names are not accepted'],
  ['KDA', '554754f48b16df24b552f6832dda090642ed9658559fef9f3ee1bb4637ea7c94', 'a private key or a hash'],
  ['FIO', 'alice@edge', 'FIO handle'],
  ['WAVES', 'alias:W:alice', 'an alias'],
  ['HIVE', 'STM8m5UgaFAAYQRuaNejYdS8FVLVp9Ss3K1qAVk5de6F8s3HnVbvA', 'public key'],
  ['HIVE', 'ab', '3 to 16'],
  ['HIVE', 'abcdefghijklmnopq', '3 to 16'],
  ...words('Alice 1abc abc- abc.de abc..def -abc ab_c .abc abc.').map((n) => ['STEEM', n, 'An account name']),
  ['ICX', 'hxBE258ceb872e08851f1f59694dac2558708ece11', 'lower-case'],
  ['FLOW', '0x0b2a3299cc857e2a', 'a character is wrong'],
  ['FLOW', '0b2a3299cc857e29', '0x and exactly 16'],
  ['AR', 'vLRHFqCw1uHu75xqB4fCDW-QxpkpJxBtFD9g4QYUbfx', '43 letters'],
])('an invalid address on %s, %s is rejected: %s', async (code = '', address = '', reason = '') => {
  expect(await checkAddress(code, address)).toMatchObject(refused(reason));
});

test('a NEM or Symbol address may contain hyphens only between groups of six', async () => {
  const plain = 'TALICEROONSJCPHC63F52V6FY3SDMSVAEUGHMB7C';
  const grouped = await checkAddress('XEM', 'TALICE-ROONSJ-CPHC63-F52V6F-Y3SDMS-VAEUGH-MB7C');
  expect(grouped).toMatchObject({ ok: true, canonical: plain });
  expect((await checkAddress('XEM', 'TALICE-ROONSJCPHC63-F52V6F-Y3SDMS-VAEUGH-MB7C')).ok).toBe(false);
  expect((await checkAddress('XEM', plain.toLowerCase())).ok).toBe(false);
});
