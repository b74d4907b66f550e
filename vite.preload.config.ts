// Build: the preload as one CommonJS file, the only format that a sandboxed window loads.
// The build inlines the names of the channel table, so that the bridge carries a list of names and no schema.
import { defineConfig } from 'vite';
import { channels } from './shared/channels/channels.ts';

const names = (kinds: readonly string[]): string =>
  JSON.stringify(Object.entries(channels).flatMap(([name, channel]) => (kinds.includes(channel.kind) ? [name] : [])));

export default defineConfig({
  publicDir: false,
  define: { CALL_NAMES: names(['query', 'intent']), PUSH_NAMES: names(['push']) },
  build: {
    lib: { entry: 'preload/preload.ts', formats: ['cjs'], fileName: () => 'preload.cjs' },
    outDir: 'dist/preload',
    emptyOutDir: true,
    // An auditor of the bridge reads the very code that is loaded.
    minify: false,
    rolldownOptions: { external: ['electron'] },
  },
});
