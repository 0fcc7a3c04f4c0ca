// The bech32 forms of Zcash for make-samples.mjs. No package on npm makes unified addresses; the nearest is the
// Zcash project's own Rust crate zcash_address in WebAssembly, which reads an address and writes it again.
// So this file puts an address together with other packages, and keeps what the crate makes of it.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const CRATE = '@elemental-zcash/zaddr_wasm_parser';

let loaded;

// Once: the glue code of the crate keeps the memory of one instance.
function loadCrate(require) {
  loaded ??= instantiate(require);
  return loaded;
}

async function instantiate(require) {
  const crate = await import(pathToFileURL(require.resolve(`${CRATE}/zaddr_wasm_parser_bg.js`)).href);
  const wasm = readFileSync(require.resolve(`${CRATE}/zaddr_wasm_parser_bg.wasm`));
  const { instance } = await WebAssembly.instantiate(wasm, { './zaddr_wasm_parser_bg.js': crate });
  crate.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return crate;
}

/** F4Jumble of ZIP-316: G on the left half masks the right one, H on the right half the left one, twice. */
function f4Jumble({ blake2bInit, blake2bUpdate, blake2bFinal }, message) {
  const hash = (data, length, name, ...last) => {
    const personal = Uint8Array.from([...Buffer.from(`UA_F4Jumble_${name}`), ...last]);
    const context = blake2bInit(length, null, null, personal);
    blake2bUpdate(context, data);
    return blake2bFinal(context);
  };
  const half = Math.min(64, message.length >> 1);
  const left = message.slice(0, half);
  const right = message.slice(half);
  for (const round of [0, 1]) {
    right.forEach((byte, i) => {
      right[i] = byte ^ hash(left, 64, 'G', round, i >> 6, 0)[i & 63];
    });
    hash(right, half, 'H', round, 0, 0).forEach((mask, i) => {
      left[i] ^= mask;
    });
  }
  return Uint8Array.from([...left, ...right]);
}

const tools = async (require, random) => {
  const { bech32m } = require('bech32');
  const sapling = require('@airgap/sapling-wasm');
  const text = (prefix, data) => bech32m.encode(prefix, bech32m.toWords(data), 400);
  return {
    crate: await loadCrate(require),
    random,
    text,
    saplingReceiver: async () => {
      const key = await sapling.getExtendedFullViewingKey(random.bytes(32), 'm/');
      return (await sapling.getPaymentAddressFromViewingKey(key)).raw;
    },
    unified: (items) => {
      const body = items.flatMap(([type, data]) => [type, data.length, ...data]);
      return text(
        'u',
        f4Jumble(require('blakejs'), Uint8Array.from([...body, ...Buffer.from('u'.padEnd(16, '\0'))])),
      );
    },
  };
};

const zcash = (form, packages, how, make) => ({
  network: 'ZEC',
  form,
  packages: [CRATE, ...packages],
  how,
  count: 100,
  make: async (require, random) => {
    const kit = await tools(require, random);
    return (i) => make(kit, i);
  },
});

// Type codes of ZIP-316: 0 P2PKH, 1 P2SH, 2 Sapling, 3 Orchard; 0x20 is one that nobody knows yet.
const MIXES = [[3], [2], [2, 3], [0, 2, 3], [1, 2, 3], [0, 3], [1, 2], [2, 0x20], [0, 3, 0x20], [3, 0x20]];

async function unified(kit, i) {
  const items = [];
  for (const type of MIXES[i % MIXES.length]) {
    const data =
      type === 2 ? await kit.saplingReceiver() : kit.random.bytes(type === 3 ? 43 : type > 3 ? 9 : 20);
    items.push([type, data]);
  }
  return kit.crate.normalize_zcash_address(kit.unified(items));
}

export const ZCASH = [
  zcash(
    'unified',
    ['@airgap/sapling-wasm', 'bech32', 'blakejs'],
    'receivers in ten mixes, written by the crate',
    unified,
  ),
  zcash(
    'sapling',
    ['@airgap/sapling-wasm', 'bech32', 'blakejs'],
    'the Sapling receiver that the crate takes out of a unified address, of the default payment address of a seed',
    async (kit) => kit.crate.get_address_receivers(kit.unified([[2, await kit.saplingReceiver()]])).sapling,
  ),
  zcash('tex', ['bech32'], 'random hashes, written by the crate', (kit) =>
    kit.crate.normalize_zcash_address(kit.text('tex', kit.random.bytes(20))),
  ),
];
