import type { SwapctlError } from '../../errors.ts';
import type { JsonValue } from '../../partner-api/json.ts';
import type { Decimal } from '../../swap/amount.ts';
import type { FaultRule } from '../faults/rule.ts';
import type { MoveVerb } from '../orders/order.ts';

/** A swap or a quote as a step asks for it. */
export interface AskedPair {
  readonly from: string;
  readonly to: string;
  readonly amount: Decimal;
  /** The amount is what is to be received. */
  readonly receive: boolean;
  readonly type: 'fixed' | 'float';
}

/** A create as a step asks for it. */
export interface AskedCreate extends AskedPair {
  /** Null for one that is made for the sandbox. */
  readonly address: string | null;
  readonly memo: string | null;
  readonly refundAddress: string | null;
  readonly minReceive: Decimal | null;
}

/** A request as a step writes it. */
export interface AskedRequest {
  readonly endpoint: string;
  readonly method: string | null;
  readonly query: Readonly<Record<string, string>>;
  /** The body as JSON; null for none. */
  readonly body: string | null;
}

/** What the steps act on. All results are values that can be written as JSON. */
export interface ScenarioService {
  quote(asked: AskedPair): Promise<unknown>;
  create(asked: AskedCreate): Promise<unknown>;
  /** The status and the body of the answer, the body as JSON where it is some. */
  request(asked: AskedRequest): Promise<{ readonly status: number; readonly body: JsonValue }>;
  refund(order: string, address: string): Promise<unknown>;
  /** The swap as its client sees it. */
  swap(order: string): Promise<unknown>;
  deposit(order: string, amount: Decimal | undefined): Promise<unknown>;
  move(order: string, verb: MoveVerb): Promise<unknown>;
  advance(milliseconds: number): Promise<void>;
  fault(rule: FaultRule): Promise<unknown>;
  clearFaults(): Promise<unknown>;
  /** Time of the service, in milliseconds since 1970. */
  now(): Promise<number>;
  /** What a step says of an error, the same in each run. */
  words(error: SwapctlError): string;
  /** Whether an error is no result of the scenario, but ends the run as what it is. */
  isFatal(error: SwapctlError): boolean;
}
