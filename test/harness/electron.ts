// Test harness: finds Electron's binary without its package, which would try to download it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOP } from './processes.ts';

/** @returns the path of the binary, or the reason why there is none */
export function electronBinary(): { path: string } | { missing: string } {
  const folder = join(TOP, 'node_modules', 'electron');
  const name = join(folder, 'path.txt');
  const path = existsSync(name) ? join(folder, 'dist', readFileSync(name, 'utf8').trim()) : null;
  if (path === null || !existsSync(path)) return { missing: 'the Electron binary is not on this machine' };
  if (process.platform === 'linux' && process.env.DISPLAY === undefined && process.env.WAYLAND_DISPLAY === undefined)
    return { missing: 'there is no display for Electron to open a window on' };
  if (process.getuid?.() === 0)
    return { missing: 'root has no sandbox of Chromium’s, and Barograph does not run without one' };
  return { path };
}
