import { configuration, FETCH_ALONE, POSTGRES } from './vitest.base.mts';

/** Tests on random cases, of which `npm test` tries a tenth. */
const RANDOM = [
  'test/sandbox/orders/deposit-address.test.ts',
  'test/sandbox/prices/price.test.ts',
  'test/core/swap/addresses/random.test.ts',
  'test/cli/terminal/{hostile,table}.test.ts',
];

export default configuration({
  include: ['test/soak/*.soak.ts', ...RANDOM],
  env: { SWAPCTL_TEST_RANDOM: 'all' },
  globalSetup: POSTGRES,
  setupFiles: FETCH_ALONE,
  pool: 'threads',
  testTimeout: 900_000,
  hookTimeout: 60_000,
});
