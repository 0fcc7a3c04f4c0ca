import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  UNSPENDABLE,
} from '../parsed-address.ts';

// Each network shifts the [64,45,7] linear code of account addresses by a word of its own; the main network by none:
// https://github.com/onflow/flow-go/blob/master/model/flow/address.go
const TEST_NETWORK = 0x6834ba37b3980209n;
const TEST_NETWORKS: readonly bigint[] = [
  TEST_NETWORK,
  // The emulator's, the sandbox's and the preview's.
  0x1cb159857af02018n,
  0x1035ce4eff92ae01n,
  0x5211829e88528817n,
];

// Parity of the 45 data bits, from bit 19 of the address on; below it the parity bits stand for themselves.
const PARITY_BITS = 19;
const PARITY_SHIFT = BigInt(PARITY_BITS);
const PARITY = `7328d 6689a 6112f 6084b 433fd 42aab 41951 233ce 22a81 21948 1ef60 1deca 1c639 1bdd8 1a535
  194ac 18c46 1632b 1529b 14a43 13184 12942 118c1 0f812 0e027 0d00e 0c83c 0b01d 0a831 0982b 07034 0682a
  05819 03807 007d2 00727 0068e 0067c 0059d 004eb 003b4 0036a 002d9 001c7 0003f`
  .split(/\s+/)
  .map((column) => BigInt(`0x${column}`));

// The accounts that came with the network: service account, fungible token, Flow token, fees, staking.
const SYSTEM: ReadonlySet<string> = new Set([
  '0000000000000000',
  'e467b9dd11fa00df',
  'f233dcee88fe0abe',
  '1654653399040a61',
  'f919ee77447b7497',
  '8624b52f9ddcd04a',
]);

// No other library is known to check these addresses; the rule was tested against accounts of both networks.
const RARELY_CHECKED =
  'Few programs can check Flow addresses, so an error may go unnoticed elsewhere: compare every character with the source.';

/** Parses a Flow account: `0x` and 16 lower-case hexadecimal digits that are a word of the main or a test network's code. */
export function parseFlow(address: string): ParsedAddress | ParseFailure {
  const [, digits] = /^0x([0-9a-f]{16})$/.exec(address) ?? [];
  if (digits === undefined) {
    return parseFailure('An address is 0x and exactly 16 lower-case hexadecimal digits.');
  }
  const word = BigInt(`0x${digits}`);
  const testnet = TEST_NETWORKS.some((shift) => isCodeWord(word ^ shift));
  if (!testnet && !isCodeWord(word)) {
    return parseFailure('The address is none that Flow could give out: a character is wrong.');
  }
  return parsedAddress('account', address, {
    testnet,
    ...(SYSTEM.has(digits) ? UNSPENDABLE : { warnings: [RARELY_CHECKED] }),
  });
}

/** Writes the account of 45 data bits on the main network or, shifted by its word, on the test network. */
export function encodeFlow(data: bigint, network: 'main' | 'test'): string {
  const word = (data << PARITY_SHIFT) | parityOf(data);
  return `0x${(network === 'test' ? word ^ TEST_NETWORK : word).toString(16).padStart(16, '0')}`;
}

function isCodeWord(word: bigint): boolean {
  return parityOf(word >> PARITY_SHIFT) === BigInt.asUintN(PARITY_BITS, word);
}

function parityOf(data: bigint): bigint {
  return PARITY.reduce((sum, column, bit) => ((data >> BigInt(bit)) & 1n ? sum ^ column : sum), 0n);
}
