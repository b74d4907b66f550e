// Build: the desktop shell's main process, from main/electron/entry.ts into dist/main.
// Packages stay external, but for one.
import { defineConfig } from 'vite';

export default defineConfig({
  publicDir: false,
  // It has packages inside its own dist folder, which the packager would omit: it is bundled.
  ssr: { noExternal: ['feedsmith'] },
  build: {
    ssr: true,
    outDir: 'dist/main',
    emptyOutDir: true,
    minify: false,
    target: 'node24',
    license: { fileName: 'LICENSES.md' },
    rolldownOptions: {
      // service.js, validation.js and archive.js are entries of their own: they run in worker threads
      // (validation.js in a process where possible); keychain.js and picture.js in processes.
      input: {
        entry: 'main/electron/entry.ts',
        service: 'main/service/service-thread.ts',
        validation: 'service/validation/worker.ts',
        keychain: 'main/core/keys/keychain-process.ts',
        archive: 'main/core/archive/reader-thread.ts',
        picture: 'main/core/pictures/picture-process.ts',
      },
      external: ['electron'],
      // Code that several entries share is a chunk of its own: a thread that imported it from entry.js would
      // start the app a second time.
      output: { codeSplitting: { groups: [{ name: 'shared', test: /[\\/](shared|client)[\\/]|package\.json$/ }] } },
    },
  },
});
