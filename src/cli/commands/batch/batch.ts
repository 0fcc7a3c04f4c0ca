import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { shown, visible } from '../../../base/text.ts';
import type { Context } from '../../context.ts';
import { budgetArgument, collected, type Flags, toleranceArgument } from '../shared/arguments.ts';
import { batchOptions } from './options.ts';
import { TEMPLATE } from './rows/columns.ts';
import { createBatch } from './run.ts';

export function batchCommand(command: Command, context: () => Context, run = createBatch): void {
  command
    .description(
      'Create many swaps, one for each row of a CSV file with a header or each line of a JSON lines file. Every row is checked before anything is sent. Run the same file again to continue where it stopped; no row is created twice.',
    )
    .argument('[file]', 'CSV or JSON lines, or - for standard input')
    .option('--template', 'print a CSV file with all columns and an example row')
    .option(
      '--map <column=Heading,...>',
      'map columns to the headings of a CSV file, such as from=Sell,label.note=Text; unknown headings are then ignored',
      collected,
    )
    .option(
      '--dry-run',
      'check every row and show the review, with the rows that the policy would refuse; send nothing',
    )
    .option('-y, --yes', 'skip the confirmation; required without a terminal')
    .option('-o, --output <file>', 'write the result to a .csv or .jsonl file')
    .option('--resume', 'use existing orders, even ended or old ones, or those with other labels')
    .option(
      '--repeat',
      'create new orders for rows whose order has ended, expired, is older than a day or has other labels',
    )
    .option('--budget <limit>', 'request budget, such as 60/60s', budgetArgument)
    .option(
      '--tolerance <percentage>',
      'accept prices this much worse than reviewed (default: 1%, or 0% with a fixed rate)',
      toleranceArgument,
    )
    .option('--label <key=value>', 'label for every row, unless the row has its own; repeatable', collected)
    .addHelpText(
      'after',
      "\nColumns: from,to,amount,address and optionally memo,receive,type,min_receive,refund_address,key,label.<key>\nJSON lines use the same names, except minReceive, refundAddress and labels:{}\n\nExamples:\n  $ swapctl batch --template > payouts.csv\n  $ swapctl batch payouts.csv --dry-run\n  $ swapctl batch payouts.csv --yes -o result.csv\n  $ swapctl batch export.csv --map from=Sell,to=Buy,amount=Total,address=Wallet\n  $ swapctl batch monthly.csv --repeat --yes\n  $ jq -c '.payouts[]' plan.json | swapctl batch - --yes --json > result.jsonl",
    )
    .action(async (file: string | undefined, flags: Flags) => {
      if (flags['template'] === true) {
        const { streams } = context();
        if (streams.format === 'json')
          throw new UsageError('--template and --json cannot be combined: the template is CSV.');
        return streams.write(shown`${visible(TEMPLATE.headings)}\n${visible(TEMPLATE.row)}\n`);
      }
      if (file === undefined)
        throw new UsageError(
          'Missing input file.',
          'Print a file to fill in with `swapctl batch --template`.',
        );
      return run(context(), batchOptions(context(), file, flags));
    });
}
