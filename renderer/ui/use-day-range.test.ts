// Test: parsing a range of days.
import { expect, it } from 'vitest';
import { readRange } from './day-range-fields.tsx';

it('days are parsed, open ends stay open, and an invalid range says why', () => {
  expect(readRange({ from: '', to: ' ' })).toEqual({ from: '', to: '' });
  expect(readRange({ from: '2026-3-4', to: '' })).toEqual({ from: '2026-03-04', to: '' });
  expect(readRange({ from: '2026-03-04', to: '2026-03-04' })).toEqual({ from: '2026-03-04', to: '2026-03-04' });
  expect(readRange({ from: '2026-03-05', to: '2026-03-04' })).toBe('order');
  expect(readRange({ from: '2026-03', to: '2026-03-04' })).toBe('no_day');
  expect(readRange({ from: '', to: '03/04/2026' })).toBe('no_day');
});
