/** The service's rate limit as a response reports it; null for anything it does not report. Times in milliseconds. */
export interface RateAnswer {
  readonly status: number;
  /** Requests that the service allows in one of its windows. */
  readonly limit: number | null;
  /** Requests that are left in the window. */
  readonly remaining: number | null;
  /** Time until the window ends. */
  readonly resetMs: number | null;
  /** Time that `Retry-After` asks for. */
  readonly retryAfterMs: number | null;
}
