import { UsageError } from '../../../base/errors.ts';
import { checkLabel, type Labels } from '../../../core/swap/labels.ts';
import type { CoinOnNetwork } from '../../../core/swap/swap.ts';
import { amountArgument, coinArgument, orderArgument, swapArgument } from '../shared/arguments.ts';

/** Arguments of a call, which fit the schema of the tool by then. */
export class Arguments {
  readonly values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.values = values;
  }

  /** A text; null if it is left out. */
  text(name: string): string | null {
    const value = this.values[name];
    return typeof value === 'string' ? value : null;
  }

  /** A text that the schema requires. */
  required(name: string): string {
    const value = this.text(name);
    if (value === null) throw new UsageError(`Missing ${name}.`);
    return value;
  }

  on(name: string): boolean {
    return this.values[name] === true;
  }

  /** Throws a usage error for anything that is not a coin. */
  coin(name: string): CoinOnNetwork {
    return coinArgument(this.required(name));
  }

  amount(name: string): string | null {
    const text = this.text(name);
    return text === null ? null : amountArgument(text);
  }

  /** An order of the sandbox, which has no ledger. */
  order(): string {
    return orderArgument(this.required('order'));
  }

  /** What identifies a swap of the ledger. */
  swap(): string {
    return swapArgument(this.required('order'));
  }

  /** The labels. Throws a usage error that repeats none of them. */
  labels(): Labels {
    const given = Object.entries(this.values['labels'] ?? {});
    const checked = given.map(([key, value]) => checkLabel(`${key}=${String(value)}`));
    return Object.fromEntries(
      checked.map((verdict) => {
        if (!verdict.ok) throw new UsageError(`Invalid label: ${verdict.reason}.`);
        return [verdict.key, verdict.value];
      }),
    );
  }
}
