// Main, Node shell: opens a window's address in a Chromium in app mode, else the default browser.
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Clock } from '../../shared/lib/clock.ts';
import { writeLaunchPage } from '../host/launch-page.ts';
import { cleanEnvironment, cleanOwnEnvironment } from '../host/secrets.ts';

export interface OpenWindowDeps {
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
  /** Private folder for the file. */
  readonly folder: string;
}

/**
 * How a window was opened; null where no program of this machine can show one, or its file cannot be written.
 */
export type OpenOutcome = 'app' | 'browser' | null;

/** In order of preference. On Linux names on the PATH, elsewhere paths of their installations. */
const CHROMIUM_FAMILY: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: [
    'google-chrome-stable',
    'google-chrome',
    'chromium',
    'chromium-browser',
    'microsoft-edge',
    'brave-browser',
    'vivaldi',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    '/Applications/Brave Browser.app/Contents/MacOS/Brave Browser',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((folder) => [
    `%${folder}%\\Google\\Chrome\\Application\\chrome.exe`,
    `%${folder}%\\Microsoft\\Edge\\Application\\msedge.exe`,
  ]),
};
/** A browser that fails does so within this time, ms; a working one may live as long as its window. */
const FAILS_WITHIN = 3_000;

export async function openWindow(address: string, deps: OpenWindowDeps): Promise<OpenOutcome> {
  const { platform, environment, clock, folder } = deps;
  // Without a display the default browser may be a text browser in the user's own terminal.
  if (platform === 'linux' && !environment.DISPLAY && !environment.WAYLAND_DISPLAY) return null;
  const file = writeLaunchPage(address, folder, clock);
  if (file === null) return null;
  const chromium = findChromium(platform, environment);
  // A confined browser (snap) cannot read our folder. The default browser may not either, but shows an error.
  if (chromium !== null && !chromium.includes('/snap/')) {
    const child = spawn(chromium, [`--app=${pathToFileURL(file)}`], {
      detached: true,
      stdio: 'ignore',
      env: cleanEnvironment(environment),
    });
    if (await works(child, clock)) return 'app';
  }
  // The library starts its child with the environment of this process.
  cleanOwnEnvironment(process.env);
  const { default: open } = await import('open');
  try {
    return (await works(await open(file), clock)) ? 'browser' : null;
  } catch {
    return null;
  }
}

export function findChromium(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string | null {
  const candidates = (CHROMIUM_FAMILY[platform] ?? []).flatMap((candidate) => {
    const path = candidate.replaceAll(/%([^%]+)%/g, (_whole, name: string) => environment[name] ?? '');
    return /[\\/]/.test(path) ? [path] : (environment.PATH ?? '').split(delimiter).map((folder) => join(folder, path));
  });
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** False when the program cannot be started, or soon ends with an error. */
function works(child: ChildProcess, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(FAILS_WITHIN, () => resolve(true));
    const settle = (good: boolean): void => {
      cancel();
      resolve(good);
    };
    child.once('error', () => settle(false));
    child.once('exit', (code) => settle(code === 0));
    child.unref();
  });
}
