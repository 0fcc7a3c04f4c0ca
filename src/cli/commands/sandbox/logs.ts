import { type Command, InvalidArgumentError, Option } from 'commander';
import { ENDPOINT_NAMES } from '../../../core/partner-api/endpoints.ts';
import { requestJson } from '../../../sandbox/operator/json.ts';
import { type RequestFilter, statusRange } from '../../../sandbox/requests/request.ts';
import type { Context } from '../../context.ts';
import { untilInterrupted } from '../../terminal/progress.ts';
import { type Flags, limitOption, SCREEN_LIMIT } from '../shared/arguments.ts';
import { databaseOf, databaseOption, withExamples } from './verb.ts';
import { requestsView } from './views/recording.ts';

const POLL_MS = 500;

/** Time within which a server that is not busy has written a request. */
const RECORDED_WITHIN_MS = 150;

export function sandboxLogsCommand(command: Command, context: () => Context): void {
  withExamples(command, 'logs', 'logs -f --status 4xx --body', 'logs --endpoint create-transaction --json')
    .summary('show the requests of clients')
    .description(
      'Show the latest requests that servers of the sandbox received, newest last. Keys, secrets, signatures and headers are never recorded.',
    )
    .addOption(databaseOption())
    .option('-f, --follow', 'also show new requests as they arrive, until Ctrl-C')
    .addOption(new Option('--endpoint <endpoint>', 'only requests of this endpoint').choices(ENDPOINT_NAMES))
    .option('--status <status>', 'only responses with this status, such as 404 or 4xx', statusArgument)
    .option('--partner <name>', 'only requests of this partner')
    .option('--body', 'include the bodies of requests and responses')
    .option('--no-addresses', 'hide addresses, memos and other long values')
    .addOption(limitOption())
    .action((flags: Flags) => runLogs(context(), logsOptions(flags)));
}

type LogsOptions = ReturnType<typeof logsOptions>;

function logsOptions(flags: Flags) {
  const { endpoint, partner, status, limit } = flags as RequestFilter;
  const hidesAddresses = flags['addresses'] === false;
  const filter: RequestFilter = { endpoint, partner, status, limit, hidesAddresses };
  return {
    database: databaseOf(flags),
    filter,
    follow: flags['follow'] === true,
    body: flags['body'] === true,
  };
}

function statusArgument(text: string): readonly [number, number] {
  const range = statusRange(text);
  if (range !== null) return range;
  throw new InvalidArgumentError('Use a status from 100 to 599, or a class such as 4xx.');
}

async function runLogs(context: Context, options: LogsOptions): Promise<void> {
  const { streams } = context;
  const limit = options.filter.limit ?? (streams.format === 'screen' ? SCREEN_LIMIT : undefined);
  const filter = { ...options.filter, limit };
  if (options.follow) return followRequests(context, { ...options, filter });
  const operator = await context.operator(options.database);
  // A server writes what it received a moment later.
  await context.sleep(RECORDED_WITHIN_MS);
  const requests = await operator.requests(filter);
  await streams.print(requestsView(requests, options.body));
  if (requests.length > 0) return;
  const { endpoint, status, partner } = filter;
  const isFiltered = endpoint !== undefined || status !== undefined || partner !== undefined;
  const hasOthers = isFiltered && (await operator.requests({ limit: 1 })).length > 0;
  streams.note(
    hasOthers
      ? 'No recorded request matches.'
      : 'No requests. A server started with `swapctl sandbox start` records them.',
  );
}

/** Shows requests as they arrive: as rows on a terminal and in a pipe, with --json one object per line. */
async function followRequests(context: Context, { database, filter, body }: LogsOptions): Promise<void> {
  const { streams } = context;
  await untilInterrupted(context, 'Stopped.', async () => {
    const operator = await context.operator(database);
    let wanted = filter;
    while (context.monotonic() < context.deadline()) {
      const requests = await operator.requests(wanted);
      if (streams.format === 'json')
        for (const request of requests) await streams.printLine(requestJson(request, body));
      else if (requests.length > 0) await streams.print(requestsView(requests, body));
      const { limit: _first, ...rest } = wanted;
      wanted = { ...rest, after: requests.at(-1)?.id ?? wanted.after ?? 0 };
      await context.sleep(POLL_MS);
    }
  });
}
