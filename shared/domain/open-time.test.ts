// Test: how long a market was open between two instants.

import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../lib/time.ts';
import { openTime } from './sessions.ts';

const at = (text: string): number => Date.parse(text);

describe('how long a market was open', () => {
  it('counts sessions, not nights, weekends and holidays', () => {
    // Thursday 15:30 to Friday 10:30 in New York, winter time.
    expect(openTime('us', at('2026-11-19T20:30:00Z'), at('2026-11-20T15:30:00Z'))).toBe(1.5 * HOUR_MS);
    // Over Thanksgiving and the half day after it.
    expect(openTime('us', at('2026-11-25T21:00:00Z'), at('2026-11-30T14:30:00Z'))).toBe(3.5 * HOUR_MS);
    expect(openTime('us', at('2026-11-21T12:00:00Z'), at('2026-11-22T12:00:00Z'))).toBe(0);
  });
  it('is all of the time where the market never closes, and none when time is frozen or runs back', () => {
    expect(openTime('always', 0, 5 * HOUR_MS)).toBe(5 * HOUR_MS);
    expect([openTime('us', 5, 5), openTime('always', 9, 5)]).toEqual([0, 0]);
  });
  it('of a currency week is five days', () => {
    expect(openTime('fx', at('2026-11-15T12:00:00Z'), at('2026-11-22T12:00:00Z'))).toBe(5 * 24 * HOUR_MS);
  });
});
