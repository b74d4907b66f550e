// End to end: opens the app on a market whose clock stands.
// The window then does not depend on the time of the test.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { writeProfile } from '../harness/app.ts';
import { type RunningService, type ServiceOptions, TEST_KEY } from '../harness/service.ts';
import type { TestHost } from './test-host.ts';
import { type Window, windowOf } from './window.ts';

export interface AppSession {
  readonly service: RunningService;
  readonly page: Page;
  readonly window: Window;
  /** Asks the service itself, as any program with a key. */
  ask(path: string): Promise<unknown>;
}

/** A world whose clock does not move. */
export const FIXED_WORLD = {
  environment: 'sandbox',
  key: TEST_KEY,
  symbols: 6,
  clock: '2026-03-04T15:00:00Z',
} as const;

/** Opens the app on its own service with a few symbols, SPY first. */
export async function openApp(
  host: TestHost,
  more: Partial<ServiceOptions> = {},
  alerting: Parameters<typeof writeProfile>[4] = {},
): Promise<AppSession> {
  const service = await host.service({ ...FIXED_WORLD, ...more });
  const dataDir = join(host.folder, 'app');
  writeProfile(dataDir, 'desk', service.url, 'sandbox', alerting);
  const { page } = await host.open({ dataDir, profile: 'desk', key: TEST_KEY });
  return {
    service,
    page,
    window: windowOf(page),
    async ask(path) {
      const answer = await fetch(`${service.url}${path}`, {
        headers: { 'x-api-key': service.key },
        signal: AbortSignal.timeout(30_000),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
  };
}

/** The file that a click downloads. */
export async function savedBy(
  page: Page,
  act: () => Promise<void>,
): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const started = page.waitForEvent('download');
  await act();
  const download = await started;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}
