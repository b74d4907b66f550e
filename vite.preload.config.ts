// Build: the preload, from preload/preload.ts into one CommonJS file, which is what a sandboxed window can load.
// The names of the channel table are put in here, so that the bridge carries a list of names and no schema.
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
    // Whoever audits the bridge reads what is really loaded.
    minify: false,
    rolldownOptions: { external: ['electron'] },
  },
});
