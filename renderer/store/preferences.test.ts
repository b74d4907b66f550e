// Test: parsing stored preferences.
import { describe, expect, it } from 'vitest';
import { readPreferences } from './preferences.ts';

const defaults = readPreferences({});

describe('stored preferences', () => {
  it('an unreadable value becomes the default', () => {
    expect(readPreferences({ resolution: 'year', reading: 'large', theme: 7 })).toEqual(defaults);
    expect(() => readPreferences(null)).toThrow();
  });
});
