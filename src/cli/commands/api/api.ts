import type { Command } from 'commander';
import { SwapctlError, UsageError } from '../../../base/errors.ts';
import { shellQuote } from '../../../base/files.ts';
import { didYouMean } from '../../../base/suggest.ts';
import { echoed, joined, shown, type Visible, visible } from '../../../base/text.ts';
import {
  type ApiAnswer,
  type ApiRequest,
  HTTP_METHODS,
  type HttpMethod,
  JSON_HEADERS,
  requestUrl,
} from '../../../core/client/transport.ts';
import {
  AUTH_HEADERS,
  ENDPOINT_NAMES,
  ENDPOINTS,
  type EndpointName,
  isEndpointName,
} from '../../../core/partner-api/endpoints.ts';
import { parseJson, tryParseJson, writeJson } from '../../../core/partner-api/json.ts';
import type { Service } from '../../../core/swaps/ports.ts';
import { type ApiToSubmit, checkApi, submitApi } from '../../../core/swaps/submit.ts';
import { announce, type Context } from '../../context.ts';
import { readInput } from '../../terminal/input.ts';
import { withProgress } from '../../terminal/progress.ts';
import { approvalArgument, approvalOption, collected, type Flags, readFlags } from '../shared/arguments.ts';
import { printDryRun } from '../shared/dry-run.ts';
import { confirmed } from '../shared/questions.ts';

export function apiCommand(command: Command, context: () => Context): void {
  command
    .description(
      `Send one signed request, and print the response body unchanged.\nEndpoints: ${ENDPOINT_NAMES.join(', ')}.`,
    )
    .argument('<endpoint>', 'endpoint of the partner API')
    .option('-X, --method <method>', "HTTP method (default: the endpoint's own)", methodArgument)
    .option(
      '-f, --field <key=value>',
      'query parameter of a GET, otherwise a field of the body; repeatable',
      collected,
    )
    .option('--input <file>', 'read the body from a file, or - for standard input')
    .option('-i, --include', 'include the response status and headers')
    .option('--curl', 'print the request as a curl command instead of sending it')
    .option('--dry-run', "show the request and the policy's decision instead of sending it")
    .option('-y, --yes', 'skip the confirmation of a request that changes something')
    .option('--approval <id>', 'approval of this request, if the policy requires one', approvalArgument)
    .addHelpText(
      'after',
      '\nWithout a policy nothing is recorded in the ledger; add an order with `swapctl history import <file>`.\nThe command printed by --curl reads the secret from $SWAPCTL_SECRET and signs with openssl.\n\nExamples:\n  $ swapctl api exchange-coin -f coinFrom=BTC -f coinTo=ETH -f amount=0.1 -f typeSwap=2\n  $ swapctl api get-transaction -f id=KQWZPA | jq .status\n  $ swapctl api get-all-coins -f page=1 -f limit=5 -f method=1 --curl',
    )
    .action((name: string, flags: Flags) => {
      const options = apiOptions(name, flags);
      return runApi(context(), options);
    });
}

type ApiOptions = ReturnType<typeof apiOptions>;

function apiOptions(name: string, flags: Flags) {
  const { text, on, list } = readFlags(flags);
  const endpoint = endpointArgument(name);
  const method = (flags['method'] as HttpMethod | undefined) ?? ENDPOINTS[endpoint].method;
  // Parameters of a GET, fields of the body otherwise, in the order given.
  const fields = list('field').map(fieldArgument);
  const [input, curl, dryRun] = [text('input'), on('curl'), on('dryRun')];
  if (curl && dryRun) throw new UsageError('--curl and --dry-run cannot be combined.');
  if (input !== null && method === 'GET')
    throw new UsageError(
      '--input cannot be combined with GET, which has no body.',
      'Pass the parameters of a GET with -f.',
    );
  if (input !== null && fields.length > 0)
    throw new UsageError('--input and -f cannot be combined: both set the body.');
  const names = fields.map(([key]) => key);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new UsageError(`Duplicate field ${echoed(twice)}.`);
  const approval = approvalOption(flags['approval']);
  return { endpoint, method, fields, input, curl, dryRun, include: on('include'), yes: on('yes'), approval };
}

function endpointArgument(text: string): EndpointName {
  if (isEndpointName(text)) return text;
  const names = `Endpoints: ${ENDPOINT_NAMES.join(', ')}.`;
  throw new UsageError(`Unknown endpoint ${echoed(text)}.`, didYouMean(ENDPOINT_NAMES, text, names));
}

function methodArgument(text: string): HttpMethod {
  const method = HTTP_METHODS.find((each) => each === text.toUpperCase());
  if (method !== undefined) return method;
  const hint = `Choose one of ${HTTP_METHODS.join(', ')}.`;
  throw new UsageError(`${echoed(text)} is not a supported HTTP method.`, hint);
}

function fieldArgument(text: string): readonly [string, string] {
  const split = text.indexOf('=');
  if (split > 0) return [text.slice(0, split), text.slice(split + 1)];
  throw new UsageError(`Invalid field ${echoed(text)}.`, 'Use the form -f key=value.');
}

const MAX_BODY_BYTES = 1024 * 1024;

/** Fields of the API that are strings even where their value looks like a number, such as a memo. */
const TEXT_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'depositCoin',
  'depositNetwork',
  'receiveCoin',
  'receiveNetwork',
  'lastSource',
  'receiveAddress',
  'refundAddress',
  'memo',
]);

async function runApi(context: Context, options: ApiOptions): Promise<void> {
  const { streams } = context;
  const { approval } = options;
  const request = await requestOf(context, options);
  if (options.curl) return printCurl(context, request);
  if (options.method !== 'GET' && !streams.interactive && !options.yes && !options.dryRun)
    throw new UsageError(`Without a terminal, a ${options.method} needs --yes.`, 'Nothing was sent.');
  const service = await context.service();
  if (options.dryRun) {
    const content: unknown = request.body === undefined ? null : parseJson(request.body);
    const decision = await checkApi(context, { request, approval });
    return printDryRun(context, service, { ...request, content }, decision);
  }
  if (options.method !== 'GET') {
    announce(context, service);
    if (!options.yes) {
      streams.note(`${request.method} ${request.endpoint} ${request.body ?? ''}`, true);
      await confirmed(context, 'Send this request?', 'nothing was sent');
    }
  }
  const print = (answer: ApiAnswer) =>
    streams.writeAsItCame(`${options.include ? headOf(answer) : ''}${answer.text}`);
  const isShown = options.include || streams.format !== 'json';
  const answer = await sendRequest(context, service, { request, approval }, isShown ? print : null);
  try {
    await print(answer);
  } catch (error) {
    throw options.method === 'GET' ? error : unwritten(context, request, answer);
  }
}

/** The response of a successful request. A failed one is shown by `show`, unless it is null. */
async function sendRequest(
  context: Context,
  service: Service,
  { request, approval }: Pick<ApiToSubmit, 'request' | 'approval'>,
  show: ((answer: ApiAnswer) => Promise<void>) | null,
): Promise<ApiAnswer> {
  const failed: ApiAnswer[] = [];
  try {
    return await withProgress(context.streams, `Waiting for ${service.host}`, () =>
      submitApi(context, service, { request, approval, onFailure: (answer) => failed.push(answer) }),
    );
  } catch (error) {
    // The error matters more than output that cannot be written: after a create, an order may exist.
    if (show !== null) for (const answer of failed) await show(answer).catch(() => undefined);
    throw error;
  }
}

/** The error if the response to a change cannot be written. It is stored nowhere else, so standard error shows it. */
function unwritten({ streams }: Context, { endpoint }: ApiRequest, { text }: ApiAnswer): SwapctlError {
  streams.note(`The service responded: ${text}`, true);
  const isCreate = endpoint === 'create-transaction';
  const words =
    'The request succeeded, but its response could not be written to standard output. It is printed above.';
  const hint = isCreate
    ? 'Do not send it again: that would create a second order. Record the order above with `swapctl history import`.'
    : 'Check its effect before you send it again.';
  return new SwapctlError(isCreate ? 'outcome_unknown' : 'write_failed', words, { outcome: 'done', hint });
}

async function requestOf(context: Context, options: ApiOptions): Promise<ApiRequest> {
  const { endpoint, method, fields, input } = options;
  if (method === 'GET') return { endpoint, method, query: Object.fromEntries(fields) };
  if (input === null) return { endpoint, method, body: writeJson(Object.fromEntries(fields.map(typed))) };
  const text = await readInput(context.input(input), MAX_BODY_BYTES);
  if (tryParseJson(text) === undefined) throw new UsageError('The body is not JSON.', 'Nothing was sent.');
  return { endpoint, method, body: text };
}

/** A field with its JSON value: numbers keep their digits, and fields that the API defines as text stay text. */
function typed([name, value]: readonly [string, string]): readonly [string, unknown] {
  return [name, !TEXT_FIELDS.has(name) && LITERAL.test(value) ? parseJson(value) : value];
}

const LITERAL = /^(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)$/;

async function printCurl(context: Context, request: ApiRequest): Promise<void> {
  const profile = await context.profile();
  if (profile.kind === 'built-in')
    throw new UsageError(
      'curl cannot reach the built-in service, which runs only as long as the command.',
      'Run `swapctl sandbox start`, and log in to that server with `swapctl auth login`.',
    );
  await context.streams.writeAsItCame(`${curlCommand(request, profile)}\n`);
}

/** The status and the headers, as in HTTP; credentials in them are redacted. */
function headOf({ status, headers }: ApiAnswer): Visible {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => shown`${visible(name)}: ${visible(each)}\n`),
  );
  return shown`HTTP ${status}\n${joined(lines)}\n`;
}

/**
 * A shell command that sends the request with curl. It contains no secret and no signature: openssl signs the
 * endpoint's name with `$SWAPCTL_SECRET` when it runs, and curl reads the signature from its standard input.
 */
function curlCommand(
  request: ApiRequest,
  { baseUrl, publicKey }: { readonly baseUrl: string; readonly publicKey: string },
): string {
  const { endpoint, body } = request;
  const method = request.method ?? ENDPOINTS[endpoint].method;
  const signature = `$(printf %s ${endpoint} | openssl dgst -sha512 -hmac "$SWAPCTL_SECRET" | sed 's/.* //')`;
  const headers = { ...JSON_HEADERS, [AUTH_HEADERS.publicKey]: publicKey, [AUTH_HEADERS.payload]: endpoint };
  return [
    `printf 'header = "${AUTH_HEADERS.signature}: %s"\\n' "${signature}" |`,
    `  curl --silent --show-error --config - --request ${method}`,
    ...Object.entries(headers).map(([name, value]) => `    --header ${shellQuote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`    --data-binary ${shellQuote(body)}`]),
    `    --url ${shellQuote(requestUrl(baseUrl, request).href)}`,
  ]
    .join(' \\\n')
    .replace('| \\\n', '|\n');
}
