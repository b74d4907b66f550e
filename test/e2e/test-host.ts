// End to end: gives each spec a folder, services and apps, and removes all of them at its end.
// Services and apps are processes of their own.
import { cpSync } from 'node:fs';
import { test as base, type Page } from '@playwright/test';
import { type AppOptions, notificationsOf, type RunningApp, startApp } from '../harness/app.ts';
import { temporaryFolder } from '../harness/folders.ts';
import type { RunningProcess } from '../harness/processes.ts';
import { type RunningService, type ServiceOptions, startService } from '../harness/service.ts';
import { launchElectron } from './electron-app.ts';

type Options = Omit<AppOptions, 'desktop'>;

export interface OpenApp extends Pick<RunningApp, 'notifications'> {
  readonly process: Pick<RunningProcess, 'printed' | 'stop' | 'kill'>;
  readonly page: Page;
  /** The used address of the page; null over Electron. */
  readonly address: string | null;
}

export interface TestHost {
  /** Folder of this test. */
  readonly folder: string;
  service(options: ServiceOptions): Promise<RunningService>;
  /** The Node shell, without a page. */
  app(options: Options): Promise<RunningApp>;
  /** The app in the shell of this project, with its window. */
  open(options: Options): Promise<OpenApp>;
}

/** Which shell shows the windows: a project of playwright.config.ts. */
export interface ShellOption {
  readonly shell: 'node' | 'electron';
}

export const test = base.extend<ShellOption & { host: TestHost }>({
  shell: ['node', { option: true }],
  host: async ({ page, viewport, shell }, use, info) => {
    const folder = temporaryFolder();
    const started: [name: string, process: OpenApp['process']][] = [];
    const host: TestHost = {
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
      async open(options) {
        const notifications = () => notificationsOf(options.dataDir);
        if (shell === 'node') {
          const { process, url } = await host.app(options);
          // Another fragment of the same address would load nothing.
          await page.goto('about:blank');
          await page.goto(url);
          return { process, page, address: url, notifications };
        }
        const { page: window, process } = await launchElectron(options);
        started.push(['app', process]);
        if (viewport !== null) await window.setViewportSize(viewport);
        return { process, page: window, address: null, notifications };
      },
    };
    await use(host);
    await Promise.all(started.map(([, process]) => process.kill()));
    if (info.status !== info.expectedStatus) {
      for (const [name, process] of started)
        await info.attach(name, { body: process.printed(), contentType: 'text/plain' });
      cpSync(folder.path, info.outputPath('folder'), { recursive: true });
    }
    folder.remove();
  },
});
