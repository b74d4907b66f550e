// Test: builds the window's page with the test language in place of English.
import { join } from 'node:path';
import { build } from 'vite';
import { TOP } from '../harness/processes.ts';

const LANGUAGE = join(import.meta.dirname, 'test-language.ts');

/** @param folder where the page is written to */
export async function buildPage(folder: string): Promise<void> {
  await build({
    configFile: join(TOP, 'vite.config.ts'),
    logLevel: 'silent',
    build: { outDir: folder, emptyOutDir: true },
    plugins: [
      {
        name: 'test-language',
        enforce: 'pre',
        resolveId: (source) => (source.endsWith('/texts.ts') ? LANGUAGE : null),
      },
    ],
  });
}
