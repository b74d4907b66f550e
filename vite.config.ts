// Build: the window's page, from renderer/ into dist/renderer. The page loads nothing from elsewhere.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, transformWithOxc } from 'vite';
import { texts } from './shared/text/texts.ts';

/** A file that stands in for a larger one. */
const ownFile = (name: string): string => join(import.meta.dirname, 'renderer', name);

// Of these only three do something when they are loaded: of a folder's index and of the texts, a page has what it uses.
const treeshake = {
  moduleSideEffects: [
    { test: /\/(shared|renderer)\/(?!main\.ts|zod-config\.ts|markdown\/worker\.ts).*\.tsx?$/, sideEffects: false },
  ],
};

export default defineConfig({
  root: 'renderer',
  publicDir: false,
  plugins: [pureSchemas(), react(), loadGuard()],
  resolve: {
    alias: [
      { find: /^\.\.\/core\/.*json-schema.*$/, replacement: ownFile('no-json-schema.ts') },
      { find: './exchanges/days.ts', replacement: ownFile('later-exchange-days.ts') },
    ],
  },
  worker: { plugins: () => [pureSchemas(), licencesOfWorker()], rolldownOptions: { treeshake } },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // No data: addresses and no inline script: the page's policy allows neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The first page is one chunk, so that its styles keep the order of its imports, the common ones first.
    rolldownOptions: {
      treeshake,
      output: {
        codeSplitting: { groups: [{ name: 'page', tags: ['$initial'], includeDependenciesRecursively: false }] },
      },
    },
    chunkSizeWarningLimit: 1500,
    // Of bundled packages: their code is no longer beside them.
    license: { fileName: 'LICENSES.md' },
  },
});

/**
 * Marks the calls that make schemas as free of side effects: a schema that a page does not check with is dropped. Not by
 * the bundler's list of names, because minified packages name functions z that do something.
 */
function pureSchemas(): Plugin {
  return {
    name: 'pure-schemas',
    enforce: 'pre',
    transform: {
      filter: { id: /\/(shared|renderer)\/.*\.tsx?$/, code: "from 'zod'" },
      handler: (code) => ({ code: code.replace(/(?<![\w.'])z\s*\.(?=\w+[.(])/g, '/* @__PURE__ */ $&'), map: null }),
    },
  };
}

/**
 * Puts renderer/load-guard.ts before all scripts, as a plain file: what the bundler makes is what may not arrive. Its
 * name stays the same, so it lies where no browser keeps it for long.
 */
function loadGuard(): Plugin {
  const file = join(import.meta.dirname, 'renderer', 'load-guard.ts');
  return {
    name: 'load-guard',
    apply: 'build',
    async generateBundle() {
      const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file);
      const given = `const NOT_LOADED = ${JSON.stringify(texts.common.notLoaded)};`;
      this.emitFile({ type: 'asset', fileName: 'load-guard.js', source: `(() => {\n${given}\n${code}})();\n` });
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: '/load-guard.js' }, injectTo: 'head-prepend' }],
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
