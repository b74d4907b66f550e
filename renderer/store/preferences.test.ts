// Test: parsing preferences stored by this or an earlier version.
import { describe, expect, it } from 'vitest';
import { readPreferences } from './preferences.ts';

const defaults = readPreferences({});

describe('stored preferences', () => {
  it('of an earlier version: old names are read, and not written again', () => {
    const read = readPreferences({ grain: 'hour', reading: { font: 'sans', paper: 'sepia' }, density: 'roomy' });
    expect(read).toEqual({
      ...defaults,
      density: 'roomy',
      resolution: 'hour',
      reading: { ...defaults.reading, font: 'sans', pageTheme: 'sepia' },
    });
  });

  it('a page theme that follows the window still does', () => {
    expect(readPreferences({ reading: { paper: null } }).reading.pageTheme).toBeNull();
  });

  it('a new name wins over its old one', () => {
    const both = { grain: 'hour', resolution: 'minute', reading: { paper: 'sepia', pageTheme: 'light' } };
    const { resolution, reading } = readPreferences(both);
    expect([resolution, reading.pageTheme]).toEqual(['minute', 'light']);
  });

  it('without a choice of theme: the theme becomes the choice', () => {
    const { theme, themeChoice } = readPreferences({ theme: 'light' });
    expect([theme, themeChoice]).toEqual(['light', 'light']);
    expect(readPreferences({ theme: 'light', themeChoice: 'system' }).themeChoice).toBe('system');
  });

  it('an unreadable value becomes the default', () => {
    expect(readPreferences({ grain: 'year', reading: 'large', theme: 7 })).toEqual(defaults);
    expect(readPreferences({ grain: 'year', reading: { paper: 'pink' } })).toEqual(defaults);
    expect(() => readPreferences(null)).toThrow();
  });
});
