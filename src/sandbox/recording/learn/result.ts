import type { JsonObject, JsonValue } from '../../../partner-api/json.ts';
import { JsonNumber } from '../../../partner-api/json.ts';

/** One point that a recording showed. */
export interface LearnedPoint {
  readonly point: string;
  readonly value: string;
}

/** One point that a recording did not show, and what would. */
export interface MissingPoint {
  readonly point: string;
  /** A call that shows it, or why none does. */
  readonly call: string;
}

/** What a recording showed of a service. */
export interface Learned {
  readonly overlay: JsonObject;
  readonly learned: readonly LearnedPoint[];
  readonly missing: readonly MissingPoint[];
}

/** A decision of a service. */
interface SeenDecision {
  /** Its name in the overlay. */
  readonly name: string;
  readonly value: JsonValue;
  /** The value for a person. */
  readonly words: string;
  /** Whether the plain sandbox decides so too. */
  readonly isPlain: boolean;
}

/** Collects what was learned, part by part. */
export class Findings {
  readonly learned: LearnedPoint[] = [];
  readonly missing: MissingPoint[] = [];
  readonly habits: string[] = [];
  readonly decisions: JsonObject = {};

  /** A point that was seen. */
  saw(point: string, value: string): void {
    this.learned.push({ point, value });
  }

  /** A point that was not seen. */
  lacks(point: string, call: string): void {
    this.missing.push({ point, call });
  }

  /** A decision that was seen; it goes into the overlay where it is not the plain sandbox's. */
  decides(point: string, { name, value, words, isPlain }: SeenDecision): void {
    this.saw(point, words);
    if (!isPlain) this.decisions[name] = value;
  }
}

/** A number as an overlay has it. */
export function jsonNumber(value: number): JsonNumber {
  return new JsonNumber(String(value));
}
