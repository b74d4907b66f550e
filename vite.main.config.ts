// Build: the main process of the desktop shell, from main/electron/entry.ts into dist/main. Packages stay packages, but for one.
import { defineConfig } from 'vite';

export default defineConfig({
  publicDir: false,
  // A package with packages inside its own dist folder, which the packager would leave out: it is built in.
  ssr: { noExternal: ['feedsmith'] },
  build: {
    ssr: true,
    outDir: 'dist/main',
    emptyOutDir: true,
    minify: false,
    target: 'node24',
    license: { fileName: 'LICENSES.md' },
    rolldownOptions: {
      // sandbox.js, validation.js and archive.js are entries of their own: they are started in worker threads (validation.js in a process where there can be
      // one); keychain.js in a process.
      input: {
        entry: 'main/electron/entry.ts',
        sandbox: 'main/sandbox.ts',
        validation: 'service/validation/worker.ts',
        keychain: 'main/core/keys/keychain-process.ts',
        archive: 'main/core/archive/reader-thread.ts',
      },
      external: ['electron'],
      // What several of them need is a chunk of its own: a thread that got it from entry.js would start the app a second time.
      output: { codeSplitting: { groups: [{ name: 'shared', test: /[\\/](shared|client)[\\/]|package\.json$/ }] } },
    },
  },
});
