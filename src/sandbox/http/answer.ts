/** A success; its body is written with every digit of its numbers. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}
