// Test: parsing stored preferences.
import { describe, expect, it } from 'vitest';
import { readPreferences } from './preferences.ts';

const defaults = readPreferences({});

describe('stored preferences', () => {
  it('an unreadable value becomes the default', () => {
    expect(readPreferences({ resolution: 'year', reading: 'large', theme: 7 })).toEqual(defaults);
    expect(() => readPreferences(null)).toThrow();
  });
  it('columns of an earlier version hide none of the present ones, and sort none', () => {
    const earlier = { hidden: ['breach'], sort: { column: 'breach', descending: true }, grouping: 'state' };
    expect(readPreferences(earlier)).toEqual(defaults);
  });
});
