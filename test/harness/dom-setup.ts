// Test harness: prepares the document of all component tests, and empties it after each.
import { afterEach, vi } from 'vitest';

const FOCUSABLE = ':is(button, input, select, textarea):enabled:not([hidden]), [tabindex]';

if (typeof document !== 'undefined') {
  const { cleanup } = await import('@testing-library/react');
  await import('./layout.ts');
  const { resetViewState } = await import('../../renderer/store/view-state.ts');
  const modal = new Set<HTMLDialogElement>();
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  afterEach(() => {
    cleanup();
    resetViewState();
    modal.clear();
    document.body.replaceChildren();
    vi.useRealTimers();
  });

  // A window without a size: no media query matches.
  globalThis.matchMedia ??= () => Object.assign(new EventTarget(), { matches: false }) as MediaQueryList;

  // Nothing has a size, so none changes.
  globalThis.ResizeObserver ??= class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };

  // jsdom has the element, but not its methods. As in a browser, the page behind a modal dialog is inert: a menu that
  // closes later gives the focus back to its button, and the keys of a test would go there.
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true;
    modal.add(this);
    if (!this.contains(document.activeElement)) this.querySelector<HTMLElement>(FOCUSABLE)?.focus();
  };
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false;
    modal.delete(this);
    this.dispatchEvent(new Event('close'));
  };
  const focus = HTMLElement.prototype.focus;
  HTMLElement.prototype.focus = function focusUnlessInert(this: HTMLElement, ...given) {
    const top = [...modal].findLast((dialog) => dialog.isConnected);
    if (top === undefined || top.contains(this)) focus.apply(this, given);
  };
}
