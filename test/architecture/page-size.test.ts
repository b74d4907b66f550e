// Test: the bytes of the window's page: what is loaded before it draws, and in all.
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { expect, test, vi } from 'vitest';

/** KiB. A page that needs more loads something that it does not show, or is worth a line here that says why. */
const MOST = {
  first: 600,
  // 1,638 before notification channels, rules to share and alerts of other programs, which their pages load; 1,665
  // before market breadth: its rules, its alerts, its part of Settings; 1,680 before the holidays of twenty exchanges,
  // which come after the page has drawn; 1,705 before what is due: its texts, marks and fields of rules; 1,716 before
  // its folder in Add your own prices, and the start of the service in the window; 1,717 before its start, and what of a
  // folder is not read, in the dialogs of profiles.
  scripts: 1722,
  fonts: 260,
  styles: 100,
};

test('the page loads at most 600 KB of scripts before it draws, 1.67 MB in all, and each font once', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  const { output } = (await build({
    configFile: join(import.meta.dirname, '..', '..', 'vite.config.ts'),
    logLevel: 'error',
    build: { write: false },
  }).finally(() => vi.unstubAllEnvs())) as Rolldown.RolldownOutput;
  const contentOf = (file: Rolldown.OutputChunk | Rolldown.OutputAsset): string | Uint8Array =>
    file.type === 'chunk' ? file.code : file.source;
  const kilobytes = (files: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]): number =>
    Math.ceil(files.reduce((sum, file) => sum + Buffer.byteLength(contentOf(file)), 0) / 1024);
  const ending = (pattern: RegExp) => output.filter(({ fileName }) => pattern.test(fileName));
  const page = String(output.flatMap((file) => (file.fileName === 'index.html' ? contentOf(file) : [])));
  const first = ending(/^assets\/.*\.js$/).filter(({ fileName }) => page.includes(fileName));
  const sizes = {
    first: kilobytes(first),
    scripts: kilobytes(ending(/^assets\/.*\.js$/)),
    fonts: kilobytes(ending(/\.woff2?$/)),
    styles: kilobytes(ending(/\.css$/)),
  };
  const over = Object.entries(sizes).filter(([name, size]) => size > MOST[name as keyof typeof MOST]);
  expect(first.length).toBeGreaterThan(0);
  expect(over).toEqual([]);
});
