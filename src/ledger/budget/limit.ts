/** Number of requests allowed per duration. */
export interface BudgetLimit {
  readonly requests: number;
  readonly durationMs: number;
}

/** The budget unless told otherwise: half of what the service allows in its sandbox. */
export const DEFAULT_BUDGET: BudgetLimit = { requests: 60, durationMs: 60_000 };
