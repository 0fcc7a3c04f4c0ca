import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { Context } from '../../context.ts';
import type { JsonSchema } from '../../operations/schema.ts';
import type { Arguments } from './arguments.ts';

/** One call of a tool. */
export interface ToolCall {
  /** Context of this call: its notices are part of the result, and a cancelled call aborts its signal. */
  readonly context: Context;
  readonly args: Arguments;
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
