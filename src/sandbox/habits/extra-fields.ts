import type { JsonValue } from '../../partner-api/json.ts';

type Members = Record<string, unknown>;

/**
 * A copy of an answer with more fields, by paths such as `pairs.deposit.coin.icon`; `coins[].id` goes into each item of
 * a list. A path that leads nowhere in this answer is passed over, and a field that is there already stays.
 */
export function withFields(body: unknown, fields: Readonly<Record<string, JsonValue>>): unknown {
  return Object.entries(fields).reduce((at, [path, value]) => withField(at, path.split('.'), value), body);
}

function withField(at: unknown, [step = '', ...rest]: readonly string[], value: JsonValue): unknown {
  if (typeof at !== 'object' || at === null || Array.isArray(at)) return at;
  const members = at as Members;
  const name = step.replace(/\[\]$/, '');
  if (rest.length === 0) return Object.hasOwn(members, name) ? at : { ...members, [name]: value };
  const next = members[name];
  if (next === undefined || next === null) return at;
  const below = step.endsWith('[]')
    ? Array.isArray(next)
      ? next.map((item: unknown) => withField(item, rest, value))
      : next
    : withField(next, rest, value);
  return { ...members, [name]: below };
}
