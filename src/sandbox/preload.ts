import { loadEveryFamily } from '../swap/addresses/families.ts';
import { HANDLERS } from './endpoints/handlers.ts';

/**
 * Loads every part of the program that a running server may need. The parts lie in files of their own, which an
 * upgrade replaces.
 */
export async function loadEverything(): Promise<void> {
  await Promise.all([
    ...Object.values(HANDLERS).map((load) => load()),
    loadEveryFamily(),
    import('./create-orders.ts'),
    import('./deposit-address.ts'),
    import('./fault-delivery.ts'),
    import('./fault-injector.ts'),
    import('./limit-store.ts'),
    import('./limits-database.ts'),
    import('./openapi-served.ts'),
    import('./payout-addresses.ts'),
    import('./rate-limiter.ts'),
    import('../swap/addresses/seed-phrase.ts'),
    import('../swap/addresses/unverified.ts'),
  ]);
}
