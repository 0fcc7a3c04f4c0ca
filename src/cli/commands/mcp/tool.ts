import type { InputRequiredResult, ToolAnnotations } from '@modelcontextprotocol/server';
import { UsageError } from '../../../base/errors.ts';
import { checkLabel, type Labels } from '../../../core/swap/labels.ts';
import type { CoinOnNetwork } from '../../../core/swap/swap.ts';
import type { Context } from '../../context.ts';
import { type ToolArguments, toolSchema } from '../../operations/command.ts';
import type { CommandInput } from '../../operations/command-line.ts';
import type { OperationTable } from '../../operations/results.ts';
import { INTEGER, type JsonSchema, listOf, TEXT } from '../../operations/schema.ts';
import { amountArgument, coinArgument, swapArgument } from '../shared/arguments.ts';
import type { Confirmations } from './confirmations.ts';

export interface ToolCall {
  /** Context of this call: its notices are part of the result, and a cancelled call aborts its signal. */
  readonly context: Context;
  readonly args: Arguments;
  readonly confirmations: Confirmations;
  /** Whether the host can show a form. */
  readonly hasForms: boolean;
  /** The host's response to a form; null in a first call. */
  readonly form: { readonly state: string; readonly answers: Readonly<Record<string, unknown>> } | null;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchema;
  /** The keys that a caller can rely on; the result has every key of the command's JSON. */
  readonly output: JsonSchema;
  readonly annotations: ToolEffects;
  run(call: ToolCall): Promise<object | InputRequiredResult>;
}

/** A tool, whose arguments and result are those of a command. */
export interface CommandTool extends ToolArguments, Omit<Tool, 'input' | 'output'> {
  readonly command: string;
  /** The JSON of a result, if it differs from what the command usually prints. */
  readonly shape?: string;
  /** The keys of a result that are promised to the caller. */
  readonly keys: readonly string[];
  /** The key of a list of results, which comes with a total. */
  readonly list?: string;
  /** Whether the result may be an approval that is needed first. */
  readonly mayNeedApproval?: boolean;
}

export function toolOf(
  described: CommandTool,
  inputAt: (path: string) => CommandInput | undefined,
  table: OperationTable,
): Tool {
  const { leaves, adds, requires, shape, keys, list, mayNeedApproval, command: path, ...tool } = described;
  const taken = inputAt(path);
  const name = shape ?? table.resultName(path);
  if (taken === undefined || name === null) throw new TypeError(`${tool.name} has no command ${path}.`);
  const one = table.outline(name, keys);
  const all = { ...(one['properties'] as object), approval: { type: 'object' }, next: TEXT };
  const listed = list === undefined ? null : { [list]: listOf(one), total: INTEGER };
  return {
    ...tool,
    input: toolSchema(taken, described),
    output:
      listed !== null
        ? { type: 'object', properties: listed, required: Object.keys(listed) }
        : mayNeedApproval === true
          ? { type: 'object', properties: all }
          : one,
  };
}

/** All four hints of the protocol. */
export type ToolEffects = Required<Omit<ToolAnnotations, 'title'>>;

/** Changes nothing at the service. */
export const READS: ToolEffects = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** Reads only what is on this machine. */
export const READS_HERE: ToolEffects = { ...READS, openWorldHint: false };

/** What `--allow` can name. */
export const PERMISSIONS = ['create', 'refund'] as const;

/** What an agent may change on a live profile. */
export type Permission = (typeof PERMISSIONS)[number];

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
