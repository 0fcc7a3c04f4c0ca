import type { JsonObject } from '../../partner-api/json.ts';
import { writeJson } from '../../partner-api/json.ts';
import { parseDuration } from '../../time.ts';
import type { FaultRule } from '../faults/rule.ts';
import { checkFaultRule } from '../faults/rule.ts';

/** The fault of a step: delays are milliseconds, or durations such as `2s`. Throws UsageError. */
export function faultRule(body: JsonObject): FaultRule {
  const { as, endpoint, ...rest } = JSON.parse(writeJson(body)) as Readonly<Record<string, unknown>>;
  const rule = Object.entries({ ...rest, ...(endpoint === 'all' ? {} : { endpoint }) }).map(
    ([key, value]) => {
      const isDelay = (key === 'delay' || key === 'drip') && typeof value === 'string';
      return [key, isDelay ? (parseDuration(value) ?? value) : value];
    },
  );
  return checkFaultRule(Object.fromEntries(rule) as object);
}
