// Build: the window's page, from renderer/ into dist/renderer. The page loads nothing from elsewhere.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

/** After the existing ones: the styles of the components follow the common ones. */
const LINK = { tag: 'link', injectTo: 'head' } as const;

export default defineConfig({
  root: 'renderer',
  publicDir: false,
  plugins: [react(), splitPage()],
  // A worker, which has no document, renders texts: a build for workers runs in the page too, not vice versa.
  resolve: { conditions: ['worker', ...defaultClientConditions] },
  worker: { plugins: () => [licencesOfWorker()] },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // No data: addresses and no inline script: the page's policy allows neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    // Of bundled packages: their code is no longer beside them.
    license: { fileName: 'LICENSES.md' },
  },
});

/**
 * Splits the page into three chunks: the early connection to the core (renderer/preconnect.ts and its
 * imports), the first calls (renderer/main.ts, likewise), and the components (renderer/mount.tsx). index.html
 * requests all, and their styles, at once; each runs as soon as it has arrived, and the second imports the
 * third.
 */
function splitPage(): Plugin {
  const closures = { preconnect: new Set<string>(), link: new Set<string>(), components: new Set<string>() };
  return {
    name: 'split-page',
    apply: 'build',
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'preconnect', test: (id: string) => closures.preconnect.has(id), priority: 3 },
                { name: 'link', test: (id: string) => closures.link.has(id), priority: 2 },
                { name: 'components', test: (id: string) => closures.components.has(id), priority: 1 },
              ],
            },
          },
        },
      },
    }),
    buildEnd() {
      const follow = (id: string, into: Set<string>): void => {
        if (into.has(id)) return;
        into.add(id);
        for (const next of this.getModuleInfo(id)?.importedIds ?? []) follow(next, into);
      };
      for (const id of this.getModuleIds()) {
        if (id.endsWith('/renderer/preconnect.ts')) follow(id, closures.preconnect);
        if (id.endsWith('/renderer/main.ts')) follow(id, closures.link);
        if (id.endsWith('/renderer/mount.tsx')) follow(id, closures.components);
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).flatMap((output) => (output.type === 'chunk' ? [output] : []));
        const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
        const needed = new Set(
          chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/renderer/mount.tsx'))),
        );
        if (needed.size !== 1) throw new Error('renderer/mount.tsx is not a part of the page by itself.');
        for (const chunk of needed) for (const name of chunk.imports) needed.add(byName.get(name) ?? chunk);
        const isNew = (path: string): boolean => !html.includes(`"/${path}"`);
        const scripts = [...needed].map(({ fileName }) => fileName).filter(isNew);
        const styles = [...needed].reverse().flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
        return [
          ...scripts.map((path) => ({ ...LINK, attrs: { rel: 'modulepreload', crossorigin: true, href: `/${path}` } })),
          ...styles
            .filter(isNew)
            .map((path) => ({ ...LINK, attrs: { rel: 'stylesheet', crossorigin: true, href: `/${path}` } })),
        ];
      },
    },
  };
}

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
