import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { echoed } from '../../../base/text.ts';
import { ENDPOINT_NAMES, isEndpointName } from '../../../core/partner-api/endpoints.ts';
import { FAULT_KEYS, type FaultRule } from '../../../sandbox/faults/rule.ts';
import type { Context } from '../../context.ts';
import { readInput } from '../../terminal/input.ts';
import { countArgument, type Flags, readFlags } from '../shared/arguments.ts';
import { acting, verb } from './verb.ts';
import { faultsView } from './views/sandbox.ts';

export function faultAddCommand(fault: Command, context: () => Context): void {
  verb(
    fault,
    'add',
    `Inject a fault into requests of an endpoint: ${ENDPOINT_NAMES.join(', ')}; or all.`,
    'fault add create-transaction --drop after --times 1',
    'fault add all --status 500 --probability 0.2',
  )
    .argument('<endpoint>', 'name of an endpoint, or all')
    .option('--status <n>', 'respond with this status without handling the request', statusArgument)
    .option('--delay <duration>', 'delay before responding, such as 500ms or 2s', delayArgument)
    .addOption(
      new Option(
        '--drop <when>',
        'cut the connection before the request is handled, or after it took effect',
      ).choices(['before', 'after']),
    )
    .option('--reset', 'cut with a TCP reset')
    .option('--truncate <bytes>', 'send n bytes of the body, then cut', bytesArgument)
    .option('--drip <delay>', 'send the body byte by byte, with this pause between bytes', delayArgument)
    .option('--body <file>', 'respond with this body without handling the request')
    .option('--content-type <type>', 'respond with this content type')
    .option('--redirect <url>', 'respond with a redirect')
    .option('--huge-body <bytes>', 'respond with n bytes of white space', bytesArgument)
    .option('--partner <name>', 'only requests of this partner')
    .option('--nth <n>', 'start with the n-th matching request; --times sets how many', countArgument)
    .option('--times <n>', 'at most n times', countArgument)
    .option('--probability <p>', 'probability from 0 to 1', probabilityArgument)
    .action(
      acting<[string]>(context, async ({ operator, context: opened, flags }, endpoint) => {
        const added = await operator.faults.add(await ruleOf(opened, endpoint, flags));
        return { ...faultsView([added]), json: () => added };
      }),
    );
}

async function ruleOf(context: Context, endpoint: string, flags: Flags): Promise<FaultRule> {
  if (endpoint !== 'all' && !isEndpointName(endpoint))
    throw new UsageError(
      `Unknown endpoint ${echoed(endpoint)}.`,
      `Choose one of ${ENDPOINT_NAMES.join(', ')}, or all.`,
    );
  const given = Object.fromEntries(
    FAULT_KEYS.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])),
  );
  const file = readFlags(flags).text('body');
  const body = file === null ? {} : { body: await readInput(context.input(file)) };
  return { ...(endpoint === 'all' ? {} : { endpoint }), ...given, ...body };
}

function statusArgument(text: string): number {
  if (/^[1-5][0-9]{2}$/.test(text) && text >= '200') return Number.parseInt(text, 10);
  throw new InvalidArgumentError('Use a status from 200 to 599.');
}

function bytesArgument(text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number.parseInt(text, 10);
  throw new InvalidArgumentError('Use a number of bytes.');
}

/** A pause of a fault in milliseconds: `500ms`, `2s`, `1m`. */
function delayArgument(text: string): number {
  const match = /^([0-9]{1,6})(ms|s|m)$/.exec(text);
  if (match === null) throw new InvalidArgumentError('Use a duration such as 500ms, 2s or 1m.');
  return Number.parseInt(match[1] ?? '0', 10) * (match[2] === 'ms' ? 1 : match[2] === 's' ? 1000 : 60_000);
}

function probabilityArgument(text: string): number {
  const match = /^(0|1|0?\.[0-9]{1,9}|1\.0+)$/.exec(text);
  if (match === null) throw new InvalidArgumentError('Use a probability between 0 and 1.');
  return text.startsWith('1') ? 1 : Number.parseInt((text.split('.')[1] ?? '0').padEnd(9, '0'), 10) / 1e9;
}
