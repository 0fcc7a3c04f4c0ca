// Writes independent-samples.json anew: addresses made by other people's libraries, which are too heavy to
// depend on (WebAssembly, hundreds of packages). Run it in a scratch folder, not in this project:
//
//   npm init -y && npm install --ignore-scripts --save-exact \
//     @airgap/sapling-wasm@0.0.9 @bananocoin/bananojs@2.10.10 @bitauth/libauth@3.0.0 \
//     @ensdomains/address-encoder@1.1.4 @polkadot/util-crypto@14.0.3 bs58check@2.1.2 bs58grscheck@3.0.1 \
//     coininfo@5.2.1 starknet@10.8.0 \
//     @elemental-zcash/zaddr_wasm_parser@0.2.0 @emurgo/cardano-serialization-lib-nodejs@15.0.3 \
//     @glif/filecoin-address@4.0.0 @hashgraph/sdk@2.81.0 @stellar/stellar-base@15.0.0 @taquito/utils@20.1.2 \
//     @trustwallet/wallet-core@4.8.2 @wharfkit/antelope@1.2.0 bech32@2.0.0 blakejs@1.2.1 \
//     cardano-crypto.js@6.1.2 kaspa-wasm@0.13.0 monero-ts@0.11.15 nanocurrency@2.5.0
//   npm install --ignore-scripts --save-exact \
//     @alephium/web3@3.0.4 @ckb-lumos/config-manager@0.23.0 @ckb-lumos/helpers@0.23.0 @cityofzion/neon-core@5.10.1 \
//     @conflux-dev/conflux-address-js@2.0.1 @fioprotocol/fiojs@1.0.2 @fleet-sdk/core@0.12.0 \
//     @siafoundation/units@3.9.0 @waves/ts-lib-crypto@1.5.2 arweave@1.15.7 bs58check@2.1.2 c32check@2.0.0 \
//     chia-utils@1.0.10 icon-sdk-js@1.5.3 mina-signer@4.0.0 nem-sdk@1.6.11 ontology-ts-sdk@1.2.0 symbol-sdk@3.3.2
//   node path/to/test/swap/addresses/make-samples.mjs [network code…]
//
// Networks named behind it are made anew and the others kept, so that only their packages need be there.
// The same packages give the same file: every key comes from the name of its form.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CARDANO } from './makers/cardano.mjs';
import { FORKS } from './makers/forks.mjs';
import { OTHERS } from './makers/others.mjs';
import { OWN_FORMATS } from './makers/own-formats.mjs';
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

const target = new URL('independent-samples.json', import.meta.url);
const wanted = process.argv.slice(2);
const isWanted = ({ network }) => wanted.length === 0 || wanted.includes(network);
const forms = JSON.parse(readFileSync(target, 'utf8')).forms.filter((form) => !isWanted(form));
const makers = [...OTHERS, ...CARDANO, ...ZCASH, ...WALLET_CORE, ...OWN_FORMATS, ...FORKS].filter(isWanted);
for (const { network, form, packages, how, count, make } of makers) {
  const next = await make(require, seeded(`${network} ${form}`));
  const addresses = [];
  for (let i = 0; i < count; i++) addresses.push(String(await next(i)));
  const source = packages.map((name) => `${name}@${version(name)}`).join(' + ');
  // One text, so that the file stays as long as the list of forms.
  forms.push({ network, form, source, how, addresses: addresses.join(' ') });
}
writeFileSync(target, `${JSON.stringify({ forms }, null, 2)}\n`);
// Some of the libraries keep workers or sockets open.
process.exit(0);
