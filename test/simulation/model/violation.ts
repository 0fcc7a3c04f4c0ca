/** An invariant that does not hold. */
export class Violation extends Error {
  override readonly name = 'Violation';
  /** Which invariant, in a few words that stay the same. */
  readonly rule: string;

  constructor(rule: string, what: string) {
    super(`${rule}: ${what}`);
    this.rule = rule;
  }
}
