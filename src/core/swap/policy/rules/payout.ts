import { counted } from '../../../../base/text.ts';
import { secretKind } from '../../addresses/secrets.ts';
import type { JsonNode } from '../../json-text.ts';
import { addressKey, networkKey } from '../codes.ts';
import { type AllowedAddress, named, type PolicyReader } from '../reader.ts';
import { present, type Recipient, type RuleKind, sortedBy } from '../rule.ts';

/** Allows payout and refund addresses: the listed ones, and those that earlier swaps paid at least `seen` times. */
export interface PayoutRule {
  readonly kind: 'payout';
  readonly addresses: readonly AllowedAddress[];
  readonly seen: number | null;
}

const KEYS = ['addresses', 'seen'] as const;

export const PAYOUT: RuleKind<PayoutRule> = {
  read: (reader, value, line) =>
    reader.object(value, 'payout', KEYS, (fields) => {
      if (!KEYS.some((key) => fields.has(key)))
        return reader.problem(line, 'payout needs addresses, seen or both.');
      const addresses = reader.optional(fields, 'addresses', (node) =>
        reader.list(node, 'addresses', (item) => readAddress(reader, item)),
      );
      const seen = reader.optional(fields, 'seen', (node) => reader.whole(node, 'seen', 1));
      return { kind: 'payout', addresses: addresses ?? [], seen };
    }),
  written: ({ addresses, seen }) => ({
    addresses: addresses.length === 0 ? null : addresses.map(writtenAddress),
    seen,
  }),
  sorted: (rule) => {
    const plain = rule.addresses.map((each) => ({ ...each, name: null, address: addressKey(each.address) }));
    return { ...rule, addresses: sortedBy(plain, (each) => JSON.stringify(each)) };
  },
  words: ({ addresses, seen }) => {
    const listed = addresses.map(({ name, address }) => (name === null ? address : `@${name} (${address})`));
    const times = seen === 1 ? 'once' : `${seen} times`;
    const paid = seen === null ? [] : [`addresses already paid at least ${times}`];
    return `pay only to ${[...listed, ...paid].join(', ')}`;
  },
  concernsRefunds: true,
  evaluate: (rule, { request, counters }) => {
    const [first] = request.recipients.filter((recipient) => {
      if (rule.addresses.some((allowed) => isAllowed(allowed, recipient))) return false;
      return rule.seen === null || counters.seen(recipient) < rule.seen;
    });
    if (first === undefined) return null;
    const spent = rule.seen === null ? null : counters.seen(first);
    const about = spent === null ? '' : `, and was paid ${counted(spent, 'time')} (${rule.seen} required)`;
    const withMemo = first.memo === null ? '' : ` with its memo`;
    const message = `The ${first.what} address${withMemo} is not listed in the policy${about}.`;
    return { effect: 'refuse', message, limit: rule.seen, spent, left: null };
  },
  isAsStrict: (strict, rule) => {
    const isListed = strict.addresses.every((each) => rule.addresses.some((other) => includes(other, each)));
    if (strict.seen === null) return isListed;
    return isListed && rule.seen !== null && strict.seen >= rule.seen;
  },
  counts: ({ seen }) => (seen === null ? {} : { seen }),
};

function isAllowed({ network, address, memo }: AllowedAddress, recipient: Recipient): boolean {
  return (
    addressKey(address) === addressKey(recipient.address) &&
    memo === recipient.memo &&
    (network === null || network === networkKey(recipient.network))
  );
}

function includes(wide: AllowedAddress, narrow: AllowedAddress): boolean {
  return (
    addressKey(wide.address) === addressKey(narrow.address) &&
    wide.memo === narrow.memo &&
    (wide.network === null || wide.network === narrow.network)
  );
}

function writtenAddress(allowed: AllowedAddress): unknown {
  const { name, network, address, memo } = allowed;
  return name === null && network === null && memo === null ? address : present({ ...allowed });
}

function readAddress(reader: PolicyReader, node: JsonNode): AllowedAddress | null {
  if (node.type === 'object') return readStoredAddress(reader, node);
  const text = node.type === 'text' ? node.text : '';
  if (text.startsWith('@')) {
    const saved = reader.saved(text.slice(1));
    return saved ?? reader.problem(node.line, `No address is saved as ${named(text)}.`);
  }
  if (mayBeAddress(text)) return { name: null, network: null, address: text, memo: null };
  return reader.problem(node.line, 'Expected an address, or @name of a saved one.');
}

/** An address as in a stored policy, with everything that its name stood for. */
function readStoredAddress(reader: PolicyReader, node: JsonNode): AllowedAddress | null {
  const keys = ['name', 'network', 'address', 'memo'];
  return reader.object(node, 'an address', keys, (fields) => {
    const part = (key: string) => reader.optional(fields, key, (each) => reader.text(each, key));
    const [name, network, memo] = [part('name'), part('network'), part('memo')];
    const address = reader.needed(fields, 'address', node.line, (each) => reader.text(each, 'address'));
    if (address === null) return null;
    if (!mayBeAddress(address)) return reader.problem(node.line, 'Expected an address.');
    return { name, network: network === null ? null : networkKey(network), address, memo };
  });
}

function mayBeAddress(text: string): boolean {
  // A private key in place of an address must not be stored.
  return /^[!-~]{2,256}$/.test(text) && secretKind(text) === undefined;
}
