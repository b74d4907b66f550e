import { defineConfig } from 'vitest/config';

// Unit tests stand beside their source; what crosses a process is in test/ and says so by its folder.
export default defineConfig({
  test: {
    include: ['{shared,client,service,main,preload,renderer,test}/**/*.test.{ts,tsx}'],
    environment: 'node',
    reporters: ['default'],
    testTimeout: 20_000,
    // Many of them wait for other processes: a worker for every core, not one less.
    maxWorkers: '100%',
  },
});
