import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/soak/*.soak.ts'],
    globalSetup: 'test/database/postgres/shared.ts',
    pool: 'threads',
    testTimeout: 900_000,
    hookTimeout: 60_000,
  },
});
