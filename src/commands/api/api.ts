import type { Command } from 'commander';
import { Option } from 'commander';
import type { HttpMethod } from '../../client/transport.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { EndpointName } from '../../partner-api/endpoints.ts';
import { ENDPOINT_NAMES, ENDPOINTS, isEndpointName } from '../../partner-api/endpoints.ts';
import { nearestWords } from '../../suggest.ts';
import { echoed, visible } from '../../text.ts';
import { collected } from '../shared/labels.ts';
import type { ApiOptions } from './options.ts';

const METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** Declares `swapctl api`. */
export function apiCommand(command: Command, context: () => Context, run = runLater): void {
  command
    .description(
      `Send one signed request as it is written, and print the body of the answer as it came.\nEndpoints: ${ENDPOINT_NAMES.join(', ')}.`,
    )
    .argument('<endpoint>', 'endpoint of the partner API')
    .addOption(new Option('-X, --method <method>', "default: the endpoint's own").argParser(methodArgument))
    .option(
      '-f, --field <key=value>',
      'parameter of a GET, field of the body otherwise; may be repeated',
      collected,
    )
    .option('--input <file>', 'body from a file, - for standard input')
    .option('-i, --include', 'print the status and the headers too')
    .option('--curl', 'send nothing; print a curl command that signs with openssl from $SWAPCTL_SECRET')
    .option('-y, --yes', 'do not ask before what changes something')
    .addHelpText(
      'after',
      '\nThe ledger takes no note of such a request; `swapctl history import <file>` takes an order up.\n\nExamples:\n  $ swapctl api exchange-coin -f coinFrom=BTC -f coinTo=ETH -f amount=0.1 -f typeSwap=2\n  $ swapctl api get-transaction -f id=KQWZPA | jq .status\n  $ swapctl api get-all-coins -f page=1 -f limit=5 -f method=1 --curl',
    )
    .action((name: string, flags: Record<string, unknown>) => {
      const endpoint = endpointArgument(name);
      const method = (flags['method'] as HttpMethod | undefined) ?? ENDPOINTS[endpoint].method;
      const fields = ((flags['field'] ?? []) as string[]).map(fieldArgument);
      const input = typeof flags['input'] === 'string' ? flags['input'] : null;
      if (input !== null && method === 'GET')
        throw new UsageError('A GET has no body.', 'Name its parameters with -f.');
      if (input !== null && fields.length > 0)
        throw new UsageError('Choose one of --input and -f: both are the body.');
      const [twice] = repeated(fields.map(([key]) => key));
      if (twice !== undefined) throw new UsageError(`${visible(twice)} is given twice.`);
      return run(context(), {
        ...{ endpoint, method, fields, input },
        include: flags['include'] === true,
        curl: flags['curl'] === true,
        yes: flags['yes'] === true,
      });
    });
}

async function runLater(context: Context, options: ApiOptions): Promise<void> {
  const { runApi } = await import('./run.ts');
  await runApi(context, options);
}

function endpointArgument(text: string): EndpointName {
  if (isEndpointName(text)) return text;
  const near = nearestWords(ENDPOINT_NAMES, text);
  throw new UsageError(
    `The partner API has no endpoint ${echoed(text)}.`,
    near.length > 0 ? `Did you mean ${near.join(', ')}?` : `It has ${ENDPOINT_NAMES.join(', ')}.`,
  );
}

function methodArgument(text: string): HttpMethod {
  const method = METHODS.find((each) => each === text.toUpperCase());
  if (method !== undefined) return method;
  throw new UsageError(
    `${echoed(text)} is no method of HTTP that is sent.`,
    `Choose one of ${METHODS.join(', ')}.`,
  );
}

function fieldArgument(text: string): readonly [string, string] {
  const split = text.indexOf('=');
  if (split > 0) return [text.slice(0, split), text.slice(split + 1)];
  throw new UsageError(`${echoed(text)} is no field.`, 'Write -f key=value.');
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) < index);
}
