// Test harness: what jsdom lacks of a window, once for its document.

const FOCUSABLE = ':is(button, input, select, textarea):enabled:not([hidden]), [tabindex]';

/** Dialogs that are open as modals, the top one last. */
export const openModals = new Set<HTMLDialogElement>();

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
  openModals.add(this);
  if (!this.contains(document.activeElement)) this.querySelector<HTMLElement>(FOCUSABLE)?.focus();
};
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.open = false;
  openModals.delete(this);
  this.dispatchEvent(new Event('close'));
};
const focus = HTMLElement.prototype.focus;
HTMLElement.prototype.focus = function focusUnlessInert(this: HTMLElement, ...given) {
  const top = [...openModals].findLast((dialog) => dialog.isConnected);
  if (top === undefined || top.contains(this)) focus.apply(this, given);
};
