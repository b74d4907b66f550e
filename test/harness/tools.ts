// Test harness: packages of `tools/`, which only certain tests and the packager need.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', '..', 'tools');
const INSTALL = ['ci', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund'];

/** Where the package is, installed or not. */
export const toolFolder = (name: string): string => join(FOLDER, 'node_modules', name);

export const hasTool = (name: string): boolean => existsSync(toolFolder(name));

/** @returns why tests that need the package cannot run; null where they can */
export const whyNoTool = (name: string): string | null =>
  hasTool(name) ? null : `npm ci --prefix tools --ignore-scripts installs ${name}`;

/** @throws Error where it is not installed */
export const requireTool = createRequire(join(FOLDER, 'package.json'));

/**
 * Installs all of them, unless they are there. For a runner: two processes must not do it at once.
 * @returns false where it failed
 */
export function installTools(): boolean {
  const { dependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));
  const isInstalled = (name: string): boolean =>
    hasTool(name) &&
    JSON.parse(readFileSync(join(toolFolder(name), 'package.json'), 'utf8')).version === dependencies[name];
  if (Object.keys(dependencies).every(isInstalled)) return true;
  const npm = spawnSync('npm', INSTALL, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (npm.status !== 0) console.error('The tools cannot be installed: tests that need them are skipped or fail.');
  return npm.status === 0;
}
