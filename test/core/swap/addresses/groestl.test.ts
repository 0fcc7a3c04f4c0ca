import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { expect, test } from 'vitest';
import { groestl512 } from '../../../../src/core/swap/addresses/codecs/groestl.ts';

test.each([
  // ShortMsgKAT_512.txt of the submission.
  [
    '',
    '6d3ad29d279110eef3adbd66de2a0345a77baede1557f5d099fce0c03d6dc2ba8e6d4a6633dfbd66053c20faa87d1a11f39a7fbe4a6c2f009801370308fc4ad8',
  ],
  [
    'The quick brown fox jumps over the lazy dog',
    'badc1f70ccd69e0cf3760c3f93884289da84ec13c70b3d12a53a7a8a4a513f99715d46288f55e1dbf926e6d084a0538e4eebfc91cf2b21452921ccde9131718d',
  ],
  // Two blocks, by groestl-hash-js 1.0.0.
  [
    'a'.repeat(200),
    'c9f4f928dc7448114d8ca40e306934cc88790892547d1f8de4273433dbe35a999fce02b5e5fc2d8ec2e9434114d77e968754019bc40021ef5308e350d44595f2',
  ],
])('Grøstl-512 of %j matches the reference digest', (text, digest) => {
  expect(bytesToHex(groestl512(utf8ToBytes(text)))).toBe(digest);
});
