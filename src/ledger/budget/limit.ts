/** Number of requests allowed per duration. */
export interface BudgetLimit {
  readonly requests: number;
  readonly durationMs: number;
}

/** The default at a service of others: half of what the API's own sandbox allows. */
export const DEFAULT_BUDGET: BudgetLimit = { requests: 60, durationMs: 60_000 };

/** The default at the built-in service, which runs inside of the command and has no limit of its own. */
export const BUILT_IN_BUDGET: BudgetLimit = { requests: 60_000, durationMs: 60_000 };
