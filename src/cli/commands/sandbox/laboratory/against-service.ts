import { SwapctlError, UsageError } from '../../../../base/errors.ts';
import { checkBaseUrl, serviceAt } from '../../../../core/partner-api/base-url.ts';
import { isLoopback } from '../../../../core/partner-api/loopback.ts';
import type { Operator } from '../../../../sandbox/operator/operator.ts';
import type { Scenario, StepKind } from '../../../../sandbox/scenarios/scenario.ts';
import { announce, type Context } from '../../../context.ts';
import type { Profile } from '../../../settings/profile.ts';
import type { SandboxDatabase } from '../verb.ts';
import { type ClosableService, isOwnFault, serviceOf, toolsAt } from './step-service.ts';

/**
 * A service that is already running. Operator steps act on its database: the built-in service's unless another is
 * named. Throws a UsageError for a live service, and for steps that are impossible, before anything is sent.
 */
export async function againstService(
  context: Context,
  scenario: Scenario,
  url: string,
  database: SandboxDatabase,
): Promise<ClosableService> {
  const baseUrl = checkBaseUrl(url);
  if (scenario.scenario !== null || scenario.magic)
    throw new UsageError(
      '"scenario" and "magic" in the file cannot be combined with --against.',
      'Start that service with --scenario or --magic, and remove them from the file.',
    );
  const known = await profileAt(context, baseUrl);
  const operator = await operatorFor(context, scenario, known, { baseUrl, database });
  const profile = known ?? (await defaultProfile(baseUrl, operator));
  const secret = known === null ? (profile.secret ?? '') : await context.settings.secretOf(known);
  const { publicKey } = profile;
  const lab = { baseUrl, credentials: { publicKey, secret }, catalogue: null, profile };
  const tools = await toolsAt(context, lab, operator, { isStopped: false });
  await announce(tools.context, await tools.context.service());
  const words = ({ message }: SwapctlError) => message;
  return {
    ...serviceOf(tools),
    words,
    isFatal: (error) => isOwnFault(error) || NOT_THE_SCENARIO.has(error.code),
    close: tools.close,
  };
}

type Remote = Extract<Profile, { kind: 'remote' }>;

/** The profile of a base URL, the one in use first; null for none. Throws a UsageError for a live one. */
async function profileAt({ settings, flags }: Context, baseUrl: string): Promise<Remote | null> {
  const inUse = flags.profile === undefined ? null : await settings.profile();
  const names = [...(settings.deciding.length > 0 ? ['env'] : []), ...(await settings.names())];
  const others: Profile[] = [];
  for (const name of inUse === null ? names : []) others.push(await settings.named(name));
  const found = [...(inUse === null ? [] : [inUse]), ...others].find(
    (each): each is Remote => each.kind === 'remote' && serviceAt(each.baseUrl) === serviceAt(baseUrl),
  );
  if (found?.environment === 'live')
    throw new UsageError(
      `Profile ${found.name} is live, but scenarios create orders and run only against sandboxes.`,
      'Nothing was sent.',
    );
  if (found !== undefined) return found;
  if (inUse === null) return null;
  throw new UsageError(`Profile ${inUse.name} does not use ${baseUrl}.`, 'Nothing was sent.');
}

const OPERATOR_STEPS: ReadonlySet<StepKind> = new Set<StepKind>(['deposit', 'move', 'advance', 'fault']);

/** The operator of a service; null if none is needed. Throws a UsageError if its database is a different one. */
async function operatorFor(
  context: Context,
  { steps }: Scenario,
  profile: Remote | null,
  { baseUrl, database }: { readonly baseUrl: string; readonly database: SandboxDatabase },
): Promise<Operator | null> {
  const needing = steps.findIndex(
    ({ kind, body }) =>
      OPERATOR_STEPS.has(kind) ||
      (kind === 'create' && typeof body === 'object' && body['address'] === undefined),
  );
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  if (needing < 0 && (profile !== null || !isLocal)) return null;
  const cannot = (why: string) => {
    const step = needing < 0 ? 'It' : `Step ${needing + 1} (${steps[needing]?.kind})`;
    return new UsageError(
      `${step} needs the database of the sandbox at ${baseUrl}, and ${why}.`,
      'Pass it with --database; only a sandbox has one. Nothing was sent.',
    );
  };
  if (!isLocal && database === undefined) throw cannot('none was given');
  const operator = await context.operator(database);
  const partners = await operator.partners.list();
  if (profile !== null && !partners.some(({ publicKey }) => publicKey === profile.publicKey))
    throw cannot(`${operator.location} does not know the key pair of profile ${profile.name}`);
  return operator;
}

/** The default partner of a sandbox on this machine, if no profile belongs to it. */
async function defaultProfile(baseUrl: string, operator: Operator | null): Promise<Remote> {
  const [partner] = operator === null ? [] : await operator.partners.list();
  if (partner !== undefined && isLoopback(new URL(baseUrl).hostname)) {
    const { publicKey, secret } = partner;
    return {
      kind: 'remote',
      name: 'sandbox-run',
      source: 'the database of the sandbox',
      baseUrl,
      publicKey,
      secret,
      environment: 'sandbox',
    };
  }
  throw new SwapctlError('no_credentials', `No profile uses ${baseUrl}.`, {
    hint: 'Store its key pair: swapctl auth login --base-url <url>',
  });
}

const NOT_THE_SCENARIO: ReadonlySet<string> = new Set([
  'network_error',
  'timeout',
  'no_credentials',
  'invalid_public_key',
  'invalid_payload',
  'invalid_signature',
]);
