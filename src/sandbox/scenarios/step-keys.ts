/** Keys that a step may have; null where every other key is a path or part of a rule. */
interface StepKeys {
  readonly known: readonly string[] | null;
  readonly needed: readonly string[];
}

const PRICED = ['as', 'from', 'to', 'amount', 'receive', 'type', 'fails'] as const;

/** The steps by name, with their keys; `advance` is a duration alone. */
export const STEP_KEYS = {
  create: {
    known: [...PRICED, 'address', 'memo', 'refundAddress', 'minReceive'],
    needed: ['from', 'to', 'amount'],
  },
  quote: { known: PRICED, needed: ['from', 'to', 'amount'] },
  deposit: { known: ['as', 'order', 'amount', 'fails'], needed: ['order'] },
  move: { known: ['as', 'order', 'verb', 'fails'], needed: ['order', 'verb'] },
  advance: { known: [], needed: [] },
  fault: { known: null, needed: [] },
  refund: { known: ['as', 'order', 'address', 'fails'], needed: ['order', 'address'] },
  request: { known: ['as', 'endpoint', 'method', 'query', 'body', 'expect', 'fails'], needed: ['endpoint'] },
  expect: { known: null, needed: [] },
} as const satisfies Readonly<Record<string, StepKeys>>;
