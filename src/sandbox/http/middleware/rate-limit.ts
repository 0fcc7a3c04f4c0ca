import { MESSAGES } from '../../../partner-api/messages.ts';
import type { Decisions } from '../../habits/decisions.ts';
import type { RateLimiter } from '../../limits/rate-limiter.ts';
import { ApiError } from '../api-error.ts';
import type { Step } from '../request-state.ts';
import { partnerOf } from '../request-state.ts';

/** Enforces the rate limit of each key, and says in headers how many requests are left. */
export function limitRate(limiter: RateLimiter, { limitHeaders }: Pick<Decisions, 'limitHeaders'>): Step {
  return async function checkRateLimit(context, next) {
    const progress = context.get('progress');
    // Counted already, before the state was replaced.
    if (progress.limitHeaders !== undefined) return next();
    const { now, standsStill } = progress.snapshot;
    const { allowed, limit, remaining, resetSeconds } = await limiter(
      partnerOf(progress).publicKey,
      standsStill ? now : null,
    );
    progress.limitHeaders = limitHeaders({
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(resetSeconds),
    });
    if (!allowed)
      throw new ApiError(429, MESSAGES.RATE_LIMITED, limitHeaders({ 'Retry-After': String(resetSeconds) }));
    await next();
  };
}
