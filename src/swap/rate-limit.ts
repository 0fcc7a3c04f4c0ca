/** The service's own limit of requests as an answer reports it; null for what it does not say. Times in milliseconds. */
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
