import { describe, expect, it } from 'vitest';
import { ENDPOINT_NAMES, type EndpointName } from '../../../src/core/partner-api/endpoints.ts';
import { authHeaders, sign } from '../../../src/core/partner-api/signature.ts';

/** The cases of RFC 4231 whose key is text in UTF-8, as a partner's secret is. */
const RFC_4231 = [
  [
    '1, a key of twenty bytes 0b',
    '\u000b'.repeat(20),
    'Hi There',
    '87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854',
  ],
  [
    '2, a key shorter than the digest',
    'Jefe',
    'what do ya want for nothing?',
    '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
  ],
] as const;

/** Signatures with `the-secret`, each from `printf %s <payload> | openssl dgst -sha512 -hmac <secret>`. */
const OPENSSL: Readonly<Record<EndpointName, string>> = {
  'get-all-coins':
    '8d0993f33f18cbeb32daf4d031f6573dda381cf49607b33d009597af7f51e44d71dc2a086899cc62dceed37648825b31a374b0b961d9ed45712fd1ee2ec3b9d0',
  'get-coin-network':
    '6e74ad935d5da11c5cffa318afd94655537d13655f77872c3e59d7f6539d5e643c95ff8789f9149764df6636240ad1ead59891750573e4b9056d6ed9d7b40f58',
  'exchange-coin':
    '504cdce303eadca6944fb741672d88b1296f7d75bcd4e02f9d807311573902558c7424689011936b8ab547eb3dd5a3d9b40abfc3362aef3231ee922a8258bed8',
  'get-transaction':
    '86a36a12abc6e3680b1a805af295742cc162c6657f1509e1a03ea83dd58061f0f3d3d5fc0dc502b5abec507c22fe9a6980c0ce34bceb83903891c25570f0d95e',
  'create-transaction':
    '32315a4e3f377023ca80e8dee897c180224fca58e200a535d6c2b814ecd7d58b044a27a38bb4ac7c2d3f031fc21e48828eed0c64d5b3e561efb238b2070cc662',
  'update-refund-address':
    '4ea672f6836031e1dbe5501603d9141939a2a75c467e8812915ed9702cf39f7937d0f88fb6917c6c6987fa3d373619ab44dc044aabe1e6cf4454616061023823',
};

/** The same for get-all-coins with other secrets. */
const OTHER_SECRETS = [
  [
    'schlüssel €',
    '7b2292ccdbc1852fb505320bfa0c1704b34f0825dbc57bb1fe8f091d195cf4239250448934b524d875f24d6af253fd0e9254d4942518523530ff5246768a3243',
  ],
  [
    'k'.repeat(200),
    'd27d9f74708fcb0dc6271f8fbbcd1c87eda40bfcc6bfb84bf0c032e236afa3d9a7415fd05816c33ccd2f4d322172902c7d46fc0634b67a19c8a64fefe6260727',
  ],
] as const;
const SECRET = 'the-secret';
const RIGHT = sign('get-all-coins', SECRET);

describe('a signature', () => {
  it.each(RFC_4231)('is HMAC-SHA512: RFC 4231 case %s', (_case, secret, payload, expected) => {
    expect(sign(payload, secret)).toBe(expected);
  });

  it.each(ENDPOINT_NAMES)('of the endpoint %s matches that of openssl', (payload) => {
    expect(sign(payload, 'the-secret')).toBe(OPENSSL[payload]);
  });

  it.each(OTHER_SECRETS)('with the secret %s matches that of openssl', (secret, expected) => {
    expect(sign('get-all-coins', secret)).toBe(expected);
  });

  it('is 128 lower-case hexadecimal digits', () => expect(RIGHT).toMatch(/^[0-9a-f]{128}$/));
});

it('the credential headers contain the public key, the signature, and the name of the endpoint', () => {
  expect(authHeaders('exchange-coin', { publicKey: 'pk', secret: SECRET })).toEqual({
    'x-api-public-key': 'pk',
    'x-api-signature': sign('exchange-coin', SECRET),
    'x-api-payload': 'exchange-coin',
  });
});
