// Test: the effect of Space in the reader.
import { describe, expect, it } from 'vitest';
import { pageTurn } from './briefings-page.tsx';

const END = { scrollTop: 400, clientHeight: 600, scrollHeight: 1_000 };
const TOP = { ...END, scrollTop: 0 };
/** A text or placeholder that fits the view: it is at its end from the start. */
const SHORT = { scrollTop: 0, clientHeight: 600, scrollHeight: 600 };

describe('space', () => {
  it('turns the page, and at the end of the text goes to the next unread', () => {
    expect(pageTurn('shown', TOP, 1)).toBe('turn');
    expect(pageTurn('shown', END, 1)).toBe('next');
    expect(pageTurn('shown', SHORT, 1)).toBe('next');
    expect(pageTurn('shown', END, -1)).toBe('turn');
    expect(pageTurn('none', null, 1)).toBe('next');
  });
  it('waits for a text that is being loaded or rendered', () => {
    expect(pageTurn('awaited', null, 1)).toBe('wait');
    expect(pageTurn('awaited', SHORT, 1)).toBe('wait');
    expect(pageTurn('awaited', END, -1)).toBe('wait');
    expect(pageTurn('shown', null, 1)).toBe('wait');
  });
  it('does not pass a text that failed to load', () => expect(pageTurn('missing', null, 1)).toBe('missing'));
});
