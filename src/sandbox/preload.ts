import { HANDLERS } from './http/endpoints/handlers.ts';

/**
 * Loads every part of the program that a running server may need. Each part is a file of its own, which an upgrade
 * replaces.
 */
export async function loadEverything(): Promise<void> {
  await Promise.all([
    ...Object.values(HANDLERS).map((load) => load()),
    import('./orders/create.ts'),
    import('./orders/steering.ts'),
    import('./orders/deposit-address/deposit-address.ts'),
    import('./http/fault-delivery.ts'),
    import('./faults/injector.ts'),
    import('./http/openapi/served.ts'),
    import('./orders/payout-addresses.ts'),
    import('../partner-api/redact-call.ts'),
    import('./requests/repository.ts'),
    import('../swap/addresses/seed-phrase.ts'),
  ]);
}
