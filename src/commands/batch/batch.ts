import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { shown, visible } from '../../text.ts';
import type { RequestRate } from '../shared/arguments.ts';
import { percentArgument, rateLimitArgument } from '../shared/arguments.ts';
import { collected, labelsArgument } from '../shared/labels.ts';
import { budgetOf } from '../shared/stored-setting.ts';
import type { BatchOptions } from './options.ts';
import { resultFormat } from './result-file.ts';
import { readMap, TEMPLATE } from './rows/columns.ts';

/** Declares `swapctl batch`. */
export function batchCommand(command: Command, context: () => Context, run = runBatch): void {
  command
    .description(
      'Create many swaps, one for each row of a CSV file with a header or of a file of JSON lines. Every row is checked before anything is sent. Run the same file again to continue where it stopped; no row is created twice.',
    )
    .argument('[file]', 'the rows; - is standard input')
    .option('--template', 'print a CSV file with all columns and an example row')
    .option(
      '--map <column=Heading,...>',
      'other headings of a CSV file, such as from=Von,label.note=Text; columns not named are then not used',
      collected,
    )
    .option('--dry-run', 'check every row and show the review; send nothing')
    .option('-y, --yes', 'create without asking; needed without a terminal')
    .option(
      '-o, --output <file>',
      'write the result to a file, as CSV or JSON lines by its name (.csv, .jsonl)',
    )
    .option('--resume', 'continue with existing orders, ended and old ones too')
    .option('--repeat', 'create new orders for rows whose order has ended, expired or is older than a day')
    .option('--budget <limit>', 'requests at most, such as 60/60s', rateLimitArgument)
    .option(
      '--tolerance <percentage>',
      'how far a price may have got worse since the review (default: 1%, with a fixed rate 0%)',
      percentArgument,
    )
    .option(
      '--label <key=value>',
      "a label for every row; a row's own comes first; may be repeated",
      collected,
    )
    .addHelpText(
      'after',
      "\nColumns: from,to,amount,address and memo,receive,type,min_receive,refund_address,key,label.<key>\nKeys of JSON lines: the same, with minReceive, refundAddress and labels:{}\n\nExamples:\n  $ swapctl batch --template > payouts.csv\n  $ swapctl batch payouts.csv --dry-run\n  $ swapctl batch payouts.csv --yes -o result.csv\n  $ swapctl batch export.csv --map from=Von,to=Nach,amount=Betrag,address=Adresse\n  $ swapctl batch monthly.csv --repeat --yes\n  $ jq -c '.payouts[]' plan.json | swapctl batch - --yes --json > result.jsonl",
    )
    .action(async (file: string | undefined, flags: Record<string, unknown>) => {
      if (flags['template'] === true)
        return context().streams.write(shown`${visible(TEMPLATE.headings)}\n${visible(TEMPLATE.row)}\n`);
      if (file === undefined)
        throw new UsageError(
          'Name the file of the rows.',
          '`swapctl batch --template` prints one to fill in.',
        );
      const text = (name: string) => (typeof flags[name] === 'string' ? flags[name] : null);
      const output = text('output');
      if (output !== null) resultFormat(output);
      const [resume, repeat] = [flags['resume'] === true, flags['repeat'] === true];
      if (resume && repeat)
        throw new UsageError('Give one of --resume and --repeat.', 'See `swapctl batch --help`.');
      const budget = flags['budget'] as RequestRate | undefined;
      return run(context(), {
        map: readMap(Array.isArray(flags['map']) ? flags['map'].map(String) : []),
        ...{ file, output, tolerance: text('tolerance'), labels: labelsArgument(flags['label']) },
        ...{ yes: flags['yes'] === true, dryRun: flags['dryRun'] === true, resume, repeat },
        budget: budget === undefined ? null : budgetOf(budget),
      });
    });
}

/** Creates the swaps; its modules are loaded here, so that the help does not load them. */
async function runBatch(context: Context, options: BatchOptions): Promise<void> {
  const { createBatch } = await import('./run.ts');
  await createBatch(context, options);
}
