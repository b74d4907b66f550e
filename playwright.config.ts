// End-to-end tests: a real browser over the real core and service.
// `npm test` runs them; alone: npx playwright test.
import { defineConfig } from '@playwright/test';
import { findElectron, whyNoElectron } from './main/electron-binary.ts';
import { ELECTRON_SPEC, NODE_SHELL_SPECS } from './test/e2e/shells.ts';
import type { ShellOption } from './test/e2e/test-host.ts';
import { findBrowser } from './test/harness/browser.ts';
import { TOP } from './test/harness/processes.ts';

const browser = await findBrowser();
const isShort = process.env.BAROGRAPH_TESTS === 'short';
const hasElectron = findElectron(TOP) !== null && whyNoElectron(process.env) === null;

export default defineConfig<ShellOption>({
  testDir: 'test/e2e',
  outputDir: 'test-results/e2e',
  // Two cores: a core, a service and a browser per spec are enough work for one worker.
  workers: 1,
  // Generous: a slow or busy machine is no fault.
  timeout: 400_000,
  expect: { timeout: 60_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list']],
  projects: [
    { name: 'browser', testIgnore: ELECTRON_SPEC },
    {
      name: 'electron',
      use: { shell: 'electron' },
      // Where Electron is missing, one spec says so for all. `npm test` shows the windows in the browser alone.
      ...(hasElectron && !isShort ? { testIgnore: Object.keys(NODE_SHELL_SPECS) } : { testMatch: ELECTRON_SPEC }),
    },
  ],
  use: {
    viewport: { width: 1440, height: 900 },
    // The trace draws every step from the page itself; a video would cost a fifth of the processor, the trace a
    // tenth: only a second attempt and a spec that is run alone make one. The end state is a screenshot.
    trace: {
      mode: process.env.BAROGRAPH_TESTS === undefined ? 'retain-on-failure' : 'on-first-retry',
      screenshots: false,
    },
    screenshot: 'only-on-failure',
    launchOptions: browser.launchOptions,
  },
});
