import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { checkDestination } from '../swap/addresses/destination.ts';
import { secretInside } from '../swap/addresses/secrets.ts';
import { memoPolicy, secretInMemo } from '../swap/memo.ts';
import { inputLines } from '../terminal/stdin.ts';
import { tabSeparated } from '../terminal/streams.ts';
import { echoed, isTwelveWords, REDACTED, visible } from '../text.ts';
import type { AddressResult } from '../views/address.ts';
import { addressView } from '../views/address.ts';
import { slipWarnings } from './shared/addresses/slip.ts';
import { withoutBlanks } from './shared/trimmed.ts';

/** One address to check. */
export interface AddressOptions {
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
}

/** Declares `swapctl address`. */
export function addressCommand(
  command: Command,
  context: () => Context,
  run = runAddress,
  runMany = runAddressLines,
): void {
  command
    .description(
      'Check an address, and its memo, by the rules of its network; nothing is sent anywhere.\nWith - as the network, read lines of network<TAB>address[<TAB>memo].',
    )
    .argument('<network>', 'network such as BTC or TRX, or -')
    .argument('[address]', 'the address')
    .option('-m, --memo <memo>', 'check this memo too')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl address BTC bc1q…\n  $ swapctl address XRP rN7n… --memo 12345\n  $ cut -f2,3 payouts.tsv | swapctl address - --json | jq "select(.valid | not)"',
    )
    .action((network: string, address: string | undefined, flags: Record<string, unknown>) => {
      const memo = typeof flags['memo'] === 'string' ? flags['memo'] : null;
      if (network === '-') {
        if (address !== undefined || memo !== null)
          throw new UsageError('With -, addresses and memos come on standard input.');
        return runMany(context());
      }
      if (address === undefined)
        throw new UsageError(
          'Name the address.',
          `swapctl address ${network.length > MAX_CODE ? '<network>' : visible(network)} <address>`,
        );
      const started = context();
      return run(started, { network, address: withoutBlanks(started, 'address', address), memo });
    });
}

/** Prints the verdict on one address; throws `invalid_address` or `invalid_memo` where it is not payable. */
export async function runAddress(context: Context, options: AddressOptions): Promise<void> {
  await refuseMisplaced(options.network);
  const { result, code } = await verdictOn(options);
  await context.streams.print(addressView(result));
  if (code !== null) throw notPayable(code, result);
}

/** Throws `unknown_network` for a text longer than any code, which is an address in the wrong place. */
async function refuseMisplaced(network: string): Promise<void> {
  if (network.length <= MAX_CODE) return;
  throw new UsageError(`There is no network ${echoed(network)}.`, NETWORK_FIRST, 'unknown_network');
}

const NETWORK_FIRST = 'Write the network first, then the address.';

/** A text for display, redacted where it is a key or a seed phrase in the wrong place. */
async function redacted(text: string): Promise<string> {
  const secret = isTwelveWords(text) || (await secretInside(text)) !== undefined;
  return secret ? REDACTED : visible(text);
}

const MAX_CODE = 20;

/** Prints the verdict on each line of standard input; throws at the end if one of them was not payable. */
export async function runAddressLines(context: Context): Promise<void> {
  let bad = 0;
  for await (const line of inputLines(context.streams.raw.stdin, context.signal)) {
    if (line === '') continue;
    const [network = '', address = '', memo, ...rest] = line.split('\t');
    const { result, code } = await verdictOn({
      network,
      address,
      memo: memo === undefined || memo === '' ? null : memo,
    });
    const told =
      rest.length === 0
        ? result
        : { ...result, valid: false, reason: 'The line has more than three fields.' };
    if (code !== null || !told.valid) bad += 1;
    if (context.streams.format === 'json') await context.streams.printLine(told);
    else await context.streams.write(tabSeparated(addressView(told).rows()));
  }
  if (bad > 0)
    throw new UsageError(
      `${bad} ${bad === 1 ? 'line is' : 'lines are'} not payable.`,
      undefined,
      'invalid_address',
    );
}

type Refusal = 'invalid_address' | 'invalid_memo' | 'memo_required' | null;

async function verdictOn({
  network,
  address,
  memo,
}: AddressOptions): Promise<{ result: AddressResult; code: Refusal }> {
  if (network.length > MAX_CODE) return misplaced({ network, address, memo });
  const shownMemo = memo !== null && (await secretInMemo(network, memo)) !== undefined ? REDACTED : memo;
  const verdict = await checkDestination(network, address, memo, {
    memoWaived: memo === null,
    describing: true,
  });
  if (!verdict.ok) {
    return {
      result: {
        network: verdict.network,
        address: verdict.secret === true ? REDACTED : address,
        ...NOTHING_KNOWN,
        memo: shownMemo,
        warnings: [],
        reason: verdict.reason,
      },
      code: verdict.code,
    };
  }
  const { kind, testnet, canonical, warnings } = verdict.address;
  const result: AddressResult = {
    network: verdict.address.network,
    address,
    valid: !testnet,
    testnet,
    kind,
    canonical,
    memo: verdict.memo === memo ? shownMemo : verdict.memo,
    warnings: [
      ...slipWarnings(network),
      ...warnings,
      ...(verdict.memo === null && memoPolicy(network) === 'required' ? [MEMO_USUAL] : []),
    ],
    reason: testnet ? 'It is an address of a test network.' : null,
  };
  return { result, code: testnet ? 'invalid_address' : null };
}

async function misplaced({
  network,
  address,
  memo,
}: AddressOptions): Promise<{ result: AddressResult; code: Refusal }> {
  const result = {
    network: await redacted(network),
    address: await redacted(address),
    ...NOTHING_KNOWN,
    memo: memo === null ? null : await redacted(memo),
    warnings: [],
    reason: NETWORK_FIRST,
  };
  return { result, code: 'invalid_address' };
}

const MEMO_USUAL = 'Receivers on this network usually need a memo; `create` asks for it or for --no-memo.';

const NOTHING_KNOWN = { valid: false, testnet: null, kind: null, canonical: null } as const;

function notPayable(code: NonNullable<Refusal>, { network, reason }: AddressResult): UsageError {
  return new UsageError(`Not payable on ${network}. ${reason ?? ''}`, undefined, code, { network, reason });
}
