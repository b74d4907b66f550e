// Renderer: parts of the window's code that are loaded when they are needed, or in a quiet moment before: what a window is opened for comes first.

/** failed: the code could not be had; a page that is loaded anew tries again. */
export type Loading<Code> =
  | { readonly status: 'waiting' | 'failed' }
  | { readonly status: 'ready'; readonly code: Code };

export interface LaterPart<Code> {
  read(): Loading<Code>;
  subscribe(listener: () => void): () => void;
  /** Loads it, once. Never rejects: what fails is a status. */
  load(): Promise<void>;
}

export interface LaterParts {
  add<Code>(load: () => Promise<Code>): LaterPart<Code>;
  /** Loads all that were added, one after the other, each when `idle` resolves. */
  loadAll(idle: () => Promise<void>): Promise<void>;
}

export function createLaterParts(): LaterParts {
  const parts: Pick<LaterPart<unknown>, 'load'>[] = [];
  return {
    add<Code>(load: () => Promise<Code>) {
      const part = createPart(load);
      parts.push(part);
      return part;
    },
    async loadAll(idle) {
      for (const { load } of parts) {
        await idle();
        await load();
      }
    },
  };
}

function createPart<Code>(load: () => Promise<Code>): LaterPart<Code> {
  let state: Loading<Code> = { status: 'waiting' };
  let asked: Promise<void> | null = null;
  const listeners = new Set<() => void>();
  const become = (next: Loading<Code>): void => {
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
      asked ??= load().then(
        (code) => become({ status: 'ready', code }),
        () => become({ status: 'failed' }),
      );
      return asked;
    },
  };
}

/** When the page has nothing else to do; where the browser does not tell, after a moment, ms. */
const MOMENT = 200;
export const quietMoment = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve, MOMENT);
  });

/** Those of this window. */
export const laterParts = createLaterParts();
