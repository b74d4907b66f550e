// Build: the window's page, from renderer/ into dist/renderer. Everything it needs is in there: the page loads nothing from elsewhere.
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig({
  root: 'renderer',
  publicDir: false,
  plugins: [react()],
  // Texts are laid out in a worker, which has no document: what is built for workers runs in the page too, not the other way round.
  resolve: { conditions: ['worker', ...defaultClientConditions] },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // No data: addresses and no inline script: the page's policy allows neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
  },
});
