// Writes independent-samples.json anew: addresses made by other people's libraries, which are too heavy to
// depend on (WebAssembly, hundreds of packages). Run it in a scratch folder, not in this project:
//
//   npm init -y && npm install --ignore-scripts --save-exact \
//     @airgap/sapling-wasm@0.0.9 @bananocoin/bananojs@2.10.10 @bitauth/libauth@3.0.0 \
//     @elemental-zcash/zaddr_wasm_parser@0.2.0 @emurgo/cardano-serialization-lib-nodejs@15.0.3 \
//     @glif/filecoin-address@4.0.0 @hashgraph/sdk@2.81.0 @stellar/stellar-base@15.0.0 @taquito/utils@20.1.2 \
//     @trustwallet/wallet-core@4.8.2 @wharfkit/antelope@1.2.0 bech32@2.0.0 blakejs@1.2.1 \
//     cardano-crypto.js@6.1.2 kaspa-wasm@0.13.0 monero-ts@0.11.15 nanocurrency@2.5.0
//   node path/to/test/swap/addresses/make-samples.mjs
//
// The same packages give the same file: every key comes from the name of its form.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CARDANO } from './makers/cardano.mjs';
import { OTHERS } from './makers/others.mjs';
import { WALLET_CORE } from './makers/wallet-core.mjs';
import { ZCASH } from './makers/zcash.mjs';

const require = createRequire(join(process.cwd(), 'package.json'));

/** Bytes that depend on the name of the form alone, so that one maker can change without the others. */
function seeded(name) {
  let counter = 0;
  const block = () => createHash('sha512').update(`swapctl samples ${name} ${counter++}`).digest();
  const bytes = (length) =>
    length <= 64 ? block().subarray(0, length) : Buffer.concat([block(), bytes(length - 64)]);
  return { bytes, below: (limit) => Number(bytes(6).readUIntBE(0, 6) % limit) };
}

const version = (name) =>
  JSON.parse(readFileSync(join(process.cwd(), 'node_modules', name, 'package.json'), 'utf8')).version;

const forms = [];
const makers = [...OTHERS, ...CARDANO, ...ZCASH, ...WALLET_CORE];
for (const { network, form, packages, how, count, make } of makers) {
  const next = await make(require, seeded(`${network} ${form}`));
  const addresses = [];
  for (let i = 0; i < count; i++) addresses.push(String(await next(i)));
  const source = packages.map((name) => `${name}@${version(name)}`).join(' + ');
  // One text, so that the file stays as long as the list of forms.
  forms.push({ network, form, source, how, addresses: addresses.join(' ') });
}
const target = new URL('independent-samples.json', import.meta.url);
writeFileSync(target, `${JSON.stringify({ forms }, null, 2)}\n`);
// Some of the libraries keep workers or sockets open.
process.exit(0);
