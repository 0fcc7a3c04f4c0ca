import { readFileSync } from 'node:fs';
import fc from 'fast-check';

/** One way to write addresses of a network's main network, as libraries write it that share no code with ours. */
export interface Form {
  readonly network: string;
  readonly form: string;
  readonly sample: fc.Arbitrary<string>;
  /** All there are, where they were made beforehand. */
  readonly addresses?: readonly string[];
}

/** What make-samples.mjs writes: `source` names packages and versions, `addresses` are parted by spaces. */
interface Made {
  readonly network: string;
  readonly form: string;
  readonly source: string;
  readonly how: string;
  readonly addresses: string;
}

const text = readFileSync(new URL('independent-samples.json', import.meta.url), 'utf8');
const made = (JSON.parse(text) as { readonly forms: readonly Made[] }).forms.map(
  ({ network, form, addresses }): Form & { readonly addresses: readonly string[] } => {
    const list = addresses.split(' ');
    return { network, form, addresses: list, sample: fc.constantFrom(...list) };
  },
);

/** Forms whose addresses no light library makes: 50 to 300 of each, 300 of each family. */
export const INDEPENDENT: readonly Form[] = made.filter(({ addresses }) => addresses.length >= 50);

/** A few addresses of nearly every network, by one library with its own table of version bytes and prefixes. */
export const SECOND_SOURCE: readonly Form[] = made.filter(({ addresses }) => addresses.length < 50);
