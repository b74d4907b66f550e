// End to end: gives each spec a folder, services and apps, and removes all of them at its end.
// Services and apps are processes of their own.
import { cpSync } from 'node:fs';
import { test as base } from '@playwright/test';
import { type AppOptions, type RunningApp, startApp } from '../harness/app.ts';
import { temporaryFolder } from '../harness/folders.ts';
import type { RunningProcess } from '../harness/processes.ts';
import { type RunningService, type ServiceOptions, startService } from '../harness/service.ts';

export interface TestHost {
  /** Folder of this test. */
  readonly folder: string;
  service(options: ServiceOptions): Promise<RunningService>;
  app(options: Omit<AppOptions, 'desktop'>): Promise<RunningApp>;
}

export const test = base.extend<{ host: TestHost }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures this one needs: none.
  host: async ({}, use, info) => {
    const folder = temporaryFolder();
    const started: [name: string, process: RunningProcess][] = [];
    await use({
      folder: folder.path,
      async service(options) {
        const service = await startService(options);
        started.push([`service ${service.port}`, service.process]);
        return service;
      },
      async app(options) {
        // A window looks different where the desktop has no notifications; here none has, on any machine.
        const app = await startApp({ ...options, desktop: false });
        started.push(['app', app.process]);
        return app;
      },
    });
    await Promise.all(started.map(([, process]) => process.kill()));
    if (info.status !== info.expectedStatus) {
      for (const [name, process] of started)
        await info.attach(name, { body: process.printed(), contentType: 'text/plain' });
      cpSync(folder.path, info.outputPath('folder'), { recursive: true });
    }
    folder.remove();
  },
});
