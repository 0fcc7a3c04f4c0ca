import { describe, expect, test } from 'vitest';
import { checkAddress } from '../../../../src/core/swap/addresses/check.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

describe('an address from the documentation of its network', () => {
  test.each([
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

describe('a valid address', () => {
  test.each([
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
  ])('on %s, %s raises a warning: %s', async (code, address, reason) => {
    const verdict = await checkAddress(code, address);
    expect(verdict.ok && verdict.warnings.join(' ')).toContain(reason);
  });
});

describe('a burn or system address', () => {
  test.each([
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
    expect(await checkAddress(code, address)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('burn or system address'),
    });
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

describe('an invalid address', () => {
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
    ...words('Alice 1abc abc- abc.de abc..def -abc ab_c .abc abc.').map((name) => [
      'STEEM',
      name,
      'An account name',
    ]),
    ['ICX', 'hxBE258ceb872e08851f1f59694dac2558708ece11', 'lower-case'],
    ['FLOW', '0x0b2a3299cc857e2a', 'a character is wrong'],
    ['FLOW', '0b2a3299cc857e29', '0x and exactly 16'],
    ['AR', 'vLRHFqCw1uHu75xqB4fCDW-QxpkpJxBtFD9g4QYUbfx', '43 letters'],
  ])('on %s, %s is rejected: %s', async (code = '', address = '', reason = '') => {
    expect(await checkAddress(code, address)).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason),
    });
  });
});

describe('a private key given as an address', () => {
  test.each([
    ['STX', `${'ab'.repeat(32)}01`, 'a private key or a hash'],
    ['XEM', `00${'ab'.repeat(32)}`, 'a private key or a hash'],
    ['XCH', `0x${'ab'.repeat(32)}`, 'a private key or a hash'],
    ['MINA', 'EKEhqeK2qJbMcNMJoRGsZk1tTVJqGqjwTGbSmrDFqWmHBTPNvvUU', 'a private key'],
    ['HIVE', 'P5JuW2AMDYu4xVwRG9DZW18VbzQrGcd5RCgb99sS6ehJsNQXu5b9', 'a private key'],
    ['NEO', 'L5nJeqKmpHp4P7F8ZYyjwc5a7P4d8EabuGAzfGJk7yC1BJyzNaEd', 'a private key'],
    ['AR', `{"kty":"RSA","n":"${'x'.repeat(600)}"}`, 'a private key'],
    ['AR', `{"d":"${'x'.repeat(600)}","kty":"RSA"}`, 'a private key'],
    ['WAVES', '7kPFrHDiGw1rCm7LszuECwWYL3dMf6iMifLRDJQZMzy', 'a private or public key'],
  ])('on %s is rejected without being repeated: %s', async (code, secret, kind) => {
    const verdict = await checkAddress(code, secret);
    expect(verdict).toMatchObject({
      ok: false,
      secret: true,
      reason: expect.stringContaining(`looks like ${kind},`),
    });
    expect(JSON.stringify(verdict)).not.toContain(secret);
  });
});

describe('an address of another network', () => {
  test.each([
    ['BTC', 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7', 'Stacks'],
    ['ETH', 'cfx:aarc9abycue0hhzgyrr53m6cxedgccrmmyybjgh4xg', 'Conflux Core'],
    ['ONT', 'NNLi44dJNXtDNSBkofB48aTVYtb1zZrNEs', 'Neo'],
    ['XEM', 'NCXA27ZKAB6EETN73DGNP4QLXHYHXAVTD2JQVSQ', 'Symbol'],
    ['SC', 'FIO7tkpmicyK2YWShSKef6B9XXqBN6LpDJo69oRDfhn67CEnj3L2G', 'FIO'],
    ['MINA', '9fRAWhdxEsTcdb8PhGNrZfwqa65zfkuYHAMmkQLcic1gdLSV5vA', 'Ergo'],
    ['ERG', '3PJaDyprvekvPXPuAtxrapacuDJopgJRaU3', 'Waves'],
  ])('on %s, %s is reported as belonging to %s', async (code, address, name) => {
    expect(await checkAddress(code, address)).toMatchObject({
      ok: false,
      reason: `This is an address of another network: ${name}.`,
    });
  });
});

test('a NEM or Symbol address may contain hyphens only between groups of six', async () => {
  const plain = 'TALICEROONSJCPHC63F52V6FY3SDMSVAEUGHMB7C';
  const canonical = { ok: true, canonical: plain };
  expect(await checkAddress('XEM', 'TALICE-ROONSJ-CPHC63-F52V6F-Y3SDMS-VAEUGH-MB7C')).toMatchObject(
    canonical,
  );
  expect((await checkAddress('XEM', 'TALICE-ROONSJCPHC63-F52V6F-Y3SDMS-VAEUGH-MB7C')).ok).toBe(false);
  expect((await checkAddress('XEM', plain.toLowerCase())).ok).toBe(false);
});
