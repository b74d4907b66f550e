// End-to-end tests: a real browser over the real core and service.
// `npm test` runs them; alone: npx playwright test.
import { defineConfig } from '@playwright/test';
import { findBrowser } from './test/harness/browser.ts';

const browser = await findBrowser();

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results/e2e',
  // Two cores: a core, a service and a browser per spec are enough work for one worker.
  workers: 1,
  // Generous: a slow or busy machine is no fault.
  timeout: 400_000,
  expect: { timeout: 60_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    // The trace draws every step from the page itself; a video would cost a fifth of the processor, the trace a
    // tenth: `npm test` makes none. The end state is a screenshot.
    trace: process.env.BAROGRAPH_TESTS === 'short' ? 'off' : { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: browser.launchOptions,
  },
});
