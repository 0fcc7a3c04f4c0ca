import { type Command, Option } from 'commander';
import type { HttpMethod } from '../../client/transport.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName, isEndpointName } from '../../partner-api/endpoints.ts';
import { nearestWords } from '../../suggest.ts';
import { echoed } from '../../text.ts';
import { collected } from '../shared/labels.ts';
import type { ApiOptions } from './run.ts';

const METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** Flags of `swapctl api`. */
interface ApiFlags {
  readonly method?: HttpMethod;
  readonly field?: readonly string[];
  readonly input?: string;
  readonly include?: boolean;
  readonly curl?: boolean;
  readonly yes?: boolean;
}

/** Declares `swapctl api`. */
export function apiCommand(command: Command, context: () => Context, run = runLater): void {
  command
    .description(
      `Send one signed request, and print the response body unchanged.\nEndpoints: ${ENDPOINT_NAMES.join(', ')}.`,
    )
    .argument('<endpoint>', 'endpoint of the partner API')
    .addOption(
      new Option('-X, --method <method>', "HTTP method (default: the endpoint's own)").argParser(
        methodArgument,
      ),
    )
    .option(
      '-f, --field <key=value>',
      'query parameter of a GET, otherwise a field of the body; repeatable',
      collected,
    )
    .option('--input <file>', 'read the body from a file, or - for standard input')
    .option('-i, --include', 'include the response status and headers, even on failure')
    .option('--curl', 'print the request as a curl command instead of sending it')
    .option('-y, --yes', 'skip the confirmation of a request that changes something')
    .addHelpText(
      'after',
      '\nNothing is recorded in the ledger; add an order with `swapctl history import <file>`.\nThe command printed by --curl reads the secret from $SWAPCTL_SECRET and signs with openssl.\n\nExamples:\n  $ swapctl api exchange-coin -f coinFrom=BTC -f coinTo=ETH -f amount=0.1 -f typeSwap=2\n  $ swapctl api get-transaction -f id=KQWZPA | jq .status\n  $ swapctl api get-all-coins -f page=1 -f limit=5 -f method=1 --curl',
    )
    .action((name: string, flags: ApiFlags) => {
      const endpoint = endpointArgument(name);
      const method = flags.method ?? ENDPOINTS[endpoint].method;
      const fields = (flags.field ?? []).map(fieldArgument);
      const { input = null, include = false, curl = false, yes = false } = flags;
      if (input !== null && method === 'GET')
        throw new UsageError(
          '--input cannot be combined with GET, which has no body.',
          'Pass the parameters of a GET with -f.',
        );
      if (input !== null && fields.length > 0)
        throw new UsageError('--input and -f cannot be combined: both set the body.');
      const [twice] = repeated(fields.map(([key]) => key));
      if (twice !== undefined) throw new UsageError(`Duplicate field ${echoed(twice)}.`);
      return run(context(), {
        endpoint,
        method,
        fields,
        input,
        include,
        curl,
        yes,
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
    `Unknown endpoint ${echoed(text)}.`,
    near.length > 0 ? `Did you mean ${near.join(', ')}?` : `Endpoints: ${ENDPOINT_NAMES.join(', ')}.`,
  );
}

function methodArgument(text: string): HttpMethod {
  const method = METHODS.find((each) => each === text.toUpperCase());
  if (method !== undefined) return method;
  throw new UsageError(
    `${echoed(text)} is not a supported HTTP method.`,
    `Choose one of ${METHODS.join(', ')}.`,
  );
}

function fieldArgument(text: string): readonly [string, string] {
  const split = text.indexOf('=');
  if (split > 0) return [text.slice(0, split), text.slice(split + 1)];
  throw new UsageError(`Invalid field ${echoed(text)}.`, 'Write -f key=value.');
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) < index);
}
