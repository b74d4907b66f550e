// Test harness: the environment of component tests: one document for all files of a worker, because each takes half
// a second of processor time. `dom-setup.ts` empties it after each test.
import { builtinEnvironments, type Environment } from 'vitest/runtime';

const { jsdom } = builtinEnvironments;

export default {
  ...jsdom,
  name: 'shared-document',
  async setup(global: typeof globalThis, options: Record<string, unknown>) {
    if (global.document === undefined) await jsdom.setup(global, options);
    return { teardown: () => undefined };
  },
} satisfies Environment;
