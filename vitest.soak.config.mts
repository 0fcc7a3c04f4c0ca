import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/soak/*.soak.ts'], pool: 'threads', testTimeout: 900_000, hookTimeout: 60_000 },
});
