// Test harness: sizes for jsdom, which has no layout, so that virtual lists draw rows.
// Loaded by dom-setup.ts.
import { act } from '@testing-library/react';

/** Height of every scroll container, px. Other elements have the height of their style, or 0. */
const VIEW_HEIGHT = 400;

const heightOf = (element: HTMLElement): number =>
  element.classList.contains('scroll') ? VIEW_HEIGHT : Number.parseFloat(element.style.height) || 0;

const SIZES: Readonly<Record<string, (element: HTMLElement) => number>> = {
  offsetHeight: heightOf,
  clientHeight: heightOf,
  offsetWidth: () => 300,
  scrollHeight: () => 1e6,
};

for (const [name, sizeOf] of Object.entries(SIZES))
  Object.defineProperty(HTMLElement.prototype, name, {
    configurable: true,
    get(this: HTMLElement) {
      return sizeOf(this);
    },
  });

HTMLElement.prototype.scrollIntoView = () => undefined;
HTMLElement.prototype.scrollTo = function scrollTo(this: HTMLElement, options?: ScrollToOptions | number) {
  this.scrollTop = typeof options === 'object' ? (options.top ?? this.scrollTop) : this.scrollTop;
  // Later, as in a browser, not within the call.
  queueMicrotask(() => act(() => void this.dispatchEvent(new Event('scroll'))));
};
