import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { Context } from '../../context.ts';
import type { JsonSchema } from '../../operations/schema.ts';
import type { Arguments } from './arguments.ts';
import type { Confirmations } from './confirmations.ts';

/** One call of a tool. */
export interface ToolCall {
  /** Context of this call: its notices are part of the result, and a cancelled call aborts its signal. */
  readonly context: Context;
  readonly args: Arguments;
  readonly confirmations: Confirmations;
  /** Whether the host can show a form. */
  readonly hasForms: boolean;
  /** What the host brings back of a form that was shown; null in a first call. */
  readonly form: { readonly state: string; readonly answers: Readonly<Record<string, unknown>> } | null;
}

/** A tool of the server. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchema;
  /** What a caller can rely on; the result has every key of the command's JSON. */
  readonly output: JsonSchema;
  readonly annotations: ToolEffects;
  run(call: ToolCall): Promise<object | InputRequiredResult>;
}

/** All four hints of the protocol. */
export interface ToolEffects {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

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
