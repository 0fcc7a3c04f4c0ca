import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { echoed, visible } from '../../../base/text.ts';
import type { Context } from '../../context.ts';
import { linesOf, textOf } from '../../terminal/input.ts';
import { tabSeparated } from '../../terminal/streams.ts';
import {
  type AddressOptions,
  type AddressResult,
  addressVerdict,
  addressView,
  INVALID,
  MAX_CODE,
  NETWORK_FIRST,
  type Refusal,
} from '../shared/addresses/verdict.ts';
import { withoutBlanks } from '../shared/questions.ts';

export function addressCommand(
  command: Command,
  context: () => Context,
  run = runAddress,
  runMany = runAddressLines,
): void {
  command
    .description(
      'Check an address, and its memo, against the rules of its network; nothing is sent anywhere.\nWith - as the network, read lines of network<TAB>address[<TAB>memo].',
    )
    .argument('<network>', 'network such as BTC or TRX, or -')
    .argument('[address]', 'the address')
    .option('-m, --memo <memo>', 'check this memo too')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl address BTC bc1q…\n  $ swapctl address XRP rN7n… --memo 12345\n  $ cut -f2,3 payouts.tsv | swapctl address - --json | jq "select(.valid | not)"',
    )
    .action((network: string, address: string | undefined, flags: { readonly memo?: string }) => {
      const memo = flags.memo ?? null;
      if (network === '-') {
        if (address !== undefined || memo !== null)
          throw new UsageError('With -, addresses and memos are read from standard input.');
        return runMany(context());
      }
      if (address === undefined)
        throw new UsageError(
          'Missing address.',
          `swapctl address ${network.length > MAX_CODE ? '<network>' : visible(network)} <address>`,
        );
      return run(context(), { network, address: withoutBlanks(context(), 'address', address), memo });
    });
}

/** Prints the verdict on one address; throws an error with exit code 2 if it is not payable. */
export async function runAddress(context: Context, options: AddressOptions): Promise<void> {
  // A text longer than any code is an address in the wrong place.
  if (options.network.length > MAX_CODE)
    throw new UsageError(`Unknown network ${echoed(options.network)}.`, NETWORK_FIRST, 'unknown_network');
  const { result, code, hint } = await addressVerdict(context, options);
  await context.streams.print(addressView(result));
  if (code !== null) throw notPayable(code, result, hint);
}

/** Prints the verdict on each line of standard input; throws at the end if one of them was not payable. */
export async function runAddressLines(context: Context): Promise<void> {
  let bad = 0;
  const { streams } = context;
  for await (const { text } of linesOf(textOf(context.input('-').bytes))) {
    if (text === '') continue;
    const result = await verdictOnLine(context, text);
    if (result.verdict === 'invalid') bad += 1;
    if (streams.format === 'json') await streams.printLine(result);
    else await streams.write(tabSeparated(addressView(result).rows()));
  }
  if (bad > 0)
    throw new UsageError(
      `${bad} ${bad === 1 ? 'line is' : 'lines are'} not payable.`,
      undefined,
      'invalid_address',
    );
}

async function verdictOnLine(context: Context, line: string): Promise<AddressResult> {
  const [network = '', address = '', memo = '', ...rest] = line.split('\t');
  const options = { network, address, memo: memo === '' ? null : memo };
  const { result, hint } = await addressVerdict(context, options);
  if (rest.length > 0)
    return { ...result, ...INVALID, reason: 'The line has more than three tab-separated fields.' };
  return hint === undefined ? result : { ...result, reason: `${result.reason} ${hint}` };
}

function notPayable(code: Refusal, { network, reason }: AddressResult, hint?: string): UsageError {
  const message =
    code === 'unknown_network' ? `${reason}` : `Not a valid address on ${network}. ${reason ?? ''}`;
  return new UsageError(message, hint, code, { network, reason });
}
