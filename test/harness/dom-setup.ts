// Test harness: prepares the document of all component tests, and empties it after each.
import { afterEach, vi } from 'vitest';

if (typeof document !== 'undefined') {
  const { cleanup } = await import('@testing-library/react');
  await import('./layout.ts');
  const { openModals } = await import('./page-elements.ts');
  const { resetViewState } = await import('../../renderer/store/view-state.ts');
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  afterEach(() => {
    cleanup();
    resetViewState();
    openModals.clear();
    document.body.replaceChildren();
    vi.useRealTimers();
  });
}
