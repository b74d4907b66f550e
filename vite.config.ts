// Build: the window's page, from renderer/ into dist/renderer. The page loads nothing from elsewhere.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

export default defineConfig({
  root: 'renderer',
  publicDir: false,
  plugins: [react()],
  // A worker, which has no document, renders texts: a build for workers runs in the page too, not vice versa.
  resolve: { conditions: ['worker', ...defaultClientConditions] },
  worker: { plugins: () => [licencesOfWorker()] },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // No data: addresses and no inline script: the page's policy allows neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The first page is one chunk, so that its styles keep the order of its imports, the common ones first.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] } } },
    chunkSizeWarningLimit: 1500,
    // Of bundled packages: their code is no longer beside them.
    license: { fileName: 'LICENSES.md' },
  },
});

/** Adds what `build.license` omits: packages bundled into a worker. */
function licencesOfWorker(): Plugin {
  return {
    name: 'licences-of-worker',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? output.moduleIds : []));
      const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
      const texts = [...folders].sort().map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
        return `## ${name} - ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(folder, file), 'utf8')}`;
      });
      this.emitFile({
        type: 'asset',
        fileName: 'assets/LICENSES.worker.md',
        source: `# Licenses\n\n${texts.join('\n')}`,
      });
    },
  };
}
