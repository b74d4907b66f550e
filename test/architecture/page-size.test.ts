// Test: the bytes of the window's page: what is loaded before it draws, and in all.
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { expect, test, vi } from 'vitest';

/** KiB. A page that needs more loads something that it does not show. */
const MOST = {
  first: 600,
  // The goal is 1,638. The worker that renders texts has 119 of them: what reads hostile HTML in time that can be ended.
  scripts: 1680,
  fonts: 260,
  styles: 100,
};

test('the page loads at most 600 KB of scripts before it draws, 1.64 MB in all, and each font once', async () => {
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
