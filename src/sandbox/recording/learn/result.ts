import { JsonNumber, type JsonObject, type JsonValue } from '../../../partner-api/json.ts';

/** What a recording showed of a service. */
export interface Learned {
  readonly overlay: JsonObject;
  readonly learned: readonly { readonly point: string; readonly value: string }[];
  /** Points that it did not show, each with a call that does, or why none does. */
  readonly missing: readonly { readonly point: string; readonly call: string }[];
}

interface SeenDecision {
  /** The value for a person. Default: the value itself. */
  readonly words?: string;
  /** Whether the plain sandbox decides the same; the overlay then leaves it out. Default: no. */
  readonly isPlain?: boolean;
}

/** Collects what was learned. */
export class Findings {
  readonly learned: { readonly point: string; readonly value: string }[] = [];
  readonly missing: { readonly point: string; readonly call: string }[] = [];
  readonly habits: string[] = [];
  readonly decisions: JsonObject = {};

  found(point: string, value: string): void {
    this.learned.push({ point, value });
  }

  lacking(point: string, call: string): void {
    this.missing.push({ point, call });
  }

  /** Adds a decision that was shown, under its name in the overlay. */
  decided(point: string, name: string, value: JsonValue | number, options: SeenDecision = {}): void {
    const { words = String(value), isPlain = false } = options;
    this.found(point, words);
    if (!isPlain) this.decisions[name] = typeof value === 'number' ? jsonNumber(value) : value;
  }
}

/** A number as an overlay has it. */
export function jsonNumber(value: number): JsonNumber {
  return new JsonNumber(String(value));
}
