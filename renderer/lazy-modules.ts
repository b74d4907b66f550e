// Renderer: modules that load on demand, or while the page is idle, after the first page.

/** failed: the code failed to load; only a reload of the page tries again. */
export type LoadState<Code> =
  | { readonly status: 'waiting' | 'failed' }
  | { readonly status: 'ready'; readonly code: Code };

export interface LazyModule<Code> {
  read(): LoadState<Code>;
  subscribe(listener: () => void): () => void;
  /** Loads it once. Never rejects: a failure is a status. */
  load(): Promise<void>;
}

export interface LazyModules {
  add<Code>(load: () => Promise<Code>): LazyModule<Code>;
  /** Loads all modules, one after the other, each when `idle` resolves. */
  loadAll(idle: () => Promise<void>): Promise<void>;
}

export function createLazyModules(): LazyModules {
  const modules: Pick<LazyModule<unknown>, 'load'>[] = [];
  return {
    add<Code>(load: () => Promise<Code>) {
      const module = createLazyModule(load);
      modules.push(module);
      return module;
    },
    async loadAll(idle) {
      for (const { load } of modules) {
        await idle();
        await load();
      }
    },
  };
}

function createLazyModule<Code>(load: () => Promise<Code>): LazyModule<Code> {
  let state: LoadState<Code> = { status: 'waiting' };
  let loadPromise: Promise<void> | null = null;
  const listeners = new Set<() => void>();
  const become = (next: LoadState<Code>): void => {
    state = next;
    for (const listener of [...listeners]) listener();
  };
  return {
    read: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load() {
      loadPromise ??= load().then(
        (code) => become({ status: 'ready', code }),
        () => become({ status: 'failed' }),
      );
      return loadPromise;
    },
  };
}

/** Wait for an idle page where the browser does not report idleness, ms. */
const IDLE_FALLBACK_MS = 200;
export const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve, IDLE_FALLBACK_MS);
  });

/** The lazy modules of this window. */
export const lazyModules = createLazyModules();
