import { errorFromAnswer } from '../core/client/error-mapping.ts';
import type { ProxyServer } from '../core/client/proxy.ts';
import { createTransport, type Transport } from '../core/client/transport.ts';
import type { HabitName } from '../core/partner-api/habits.ts';
import { textAt } from '../core/partner-api/json.ts';
import { createRedactor } from '../core/partner-api/redaction.ts';
import type { Credentials } from '../core/partner-api/signature.ts';
import { ANSWER_CHECKS } from './answers.ts';
import { authenticationChecks } from './authentication.ts';
import { affectedCommands, type Check, type CheckResult } from './check.ts';
import { COIN_CHECKS, NETWORK_CHECKS } from './coins.ts';
import { ORDER_HABIT_CHECKS } from './habits.ts';
import { firstPage } from './listing.ts';
import { ORDER_CHECKS, REFUND_CHECKS } from './orders.ts';
import { NoAnswer, NotTestable, type PaceClock, Probe } from './probe.ts';
import { QUOTE_CHECKS } from './quotes.ts';
import { ORDER_REFUSAL_CHECKS, TRANSACTION_CHECKS } from './refusals.ts';

const ANSWER_TIMEOUT_MS = 30_000;
const MAX_FOUND = 200;

export interface CheckOptions extends PaceClock {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly signal: AbortSignal;
  /** Time limit of the whole run in milliseconds; null for none. */
  readonly timeoutMs: number | null;
  /** Whether to send POST and PATCH as well. */
  readonly write: boolean;
}

/** Results of a run, and the orders that it created. */
export interface ConformanceReport {
  readonly results: readonly CheckResult[];
  readonly orders: readonly string[];
}

/**
 * Checks a service against the API document and the decisions beside it, one request after the other. Throws
 * SwapctlError where the service cannot be reached or refuses the key pair.
 */
export async function checkService(options: CheckOptions & { readonly proxy?: ProxyServer | null }) {
  const { baseUrl, credentials, signal, timeoutMs, proxy = null } = options;
  const transport = createTransport({
    baseUrl,
    credentials,
    signal,
    proxy,
    timeoutMs: Math.min(timeoutMs ?? ANSWER_TIMEOUT_MS, ANSWER_TIMEOUT_MS),
  });
  return checkThrough(transport, options);
}

/** Does what {@link checkService} does, through any transport. */
export async function checkThrough(transport: Transport, options: CheckOptions): Promise<ConformanceReport> {
  const { credentials, timeoutMs, now, monotonic = now } = options;
  const deadline = timeoutMs === null ? Number.POSITIVE_INFINITY : monotonic() + timeoutMs;
  // A repeat waits for the pace between requests anyway.
  const probe = new Probe({
    ...options,
    transport,
    deadline,
    random: () => 0,
    timeoutMs: ANSWER_TIMEOUT_MS,
  });
  // Where the key pair does not work every check would differ for the same reason. A 400 is left to the checks.
  const { ok, status, answer } = await probe.ask(firstPage('deposit'));
  if (!ok && status !== 400) throw errorFromAnswer(answer);
  const clean = createCleaner(credentials);
  const results: CheckResult[] = [];
  for (const check of everyCheck(credentials))
    results.push(await resultOf(check, probe, options.write, clean));
  return { results, orders: ordersMade(probe) };
}

function everyCheck(credentials: Credentials): Check[] {
  return [
    ...authenticationChecks(credentials),
    ...COIN_CHECKS,
    ...NETWORK_CHECKS,
    ...QUOTE_CHECKS,
    ...TRANSACTION_CHECKS,
    ...ORDER_REFUSAL_CHECKS,
    ...ORDER_CHECKS,
    ...ORDER_HABIT_CHECKS,
    ...REFUND_CHECKS,
    ...ANSWER_CHECKS,
  ];
}

async function resultOf(
  { run, changes, name, endpoint, basis, decision, expected }: Check,
  probe: Probe,
  write: boolean,
  clean: (text: string) => string,
): Promise<CheckResult> {
  const statement = { check: name, endpoint, basis, decision };
  // The keys are in the order of docs/command-line/output.md#json.
  const resultWith = (result: CheckResult['result'], found: string, habit: HabitName | null = null) => ({
    ...statement,
    result,
    expected,
    found,
    habit,
    affects: result === 'differs' ? affectedCommands(statement) : [],
  });
  if (changes && !write) return resultWith('skipped', 'needs --write');
  try {
    const verdict = await run(probe);
    if (verdict.result === 'held') return resultWith('held', expected);
    return resultWith('differs', clean(verdict.found), verdict.habit);
  } catch (error) {
    if (error instanceof NotTestable) return resultWith('skipped', clean(error.message));
    if (error instanceof NoAnswer) return resultWith('differs', clean(error.message));
    throw error;
  }
}

/** Removes secrets and signatures from texts: a server may send them back, in any case of letters. */
function createCleaner(credentials: Credentials): (text: string) => string {
  const redact = createRedactor(credentials);
  return (text) => {
    const clean = redact(text, true);
    return clean.length > MAX_FOUND ? `${clean.slice(0, MAX_FOUND)}…` : clean;
  };
}

function ordersMade(probe: Probe): string[] {
  const made = probe.replies.filter(({ endpoint, ok }) => endpoint === 'create-transaction' && ok);
  return made.map(({ json }) => textAt(json, 'orderNumber') ?? '').filter((order) => order !== '');
}
