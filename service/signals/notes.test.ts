// Service, signals, test: notes on a symbol.
import { describe, expect, test } from 'vitest';
import { emptyPowers, type Powers } from '../../shared/domain/factors.ts';
import type { Reading } from '../engine/types.ts';
import { noteOf, priceText } from './notes.ts';
import { addClose, newTrack, type Track } from './track.ts';

const reading = (close: number, powers: Partial<Powers> = {}, more: Partial<Reading> = {}): Reading => ({
  date: '2026-03-02',
  close,
  state: 0,
  isWithheld: false,
  rule: null,
  probability: 0.1,
  claim: 'event',
  confidence: 90,
  baseRate: 12,
  regime: null,
  regimeProbabilities: null,
  powers: { ...emptyPowers(), ...powers },
  contributions: emptyPowers(),
  drawdownFraction: 0.4,
  breachLevel: 90,
  ...more,
});

function trackOf(readings: readonly Reading[]): Track {
  const track = newTrack({ symbol: 'SPY', name: 'SPY', assetClass: 'etf', regimeOnly: false, inputOnly: false });
  for (const [index, one] of readings.entries())
    addClose(track, { closedAt: index, reading: one, trading: { range: null, volume: null } });
  return track;
}

const quiet = { 'D-03': 0.4, 'D-07': 0.5, 'D-11': 0.3, 'D-01': 0.8 } as const;
const loud = { 'D-03': 0.88, 'D-07': 0.55, 'D-11': 0.71, 'D-01': 0.6 } as const;

describe('a note', () => {
  test('gives the position of the close and names the two dimensions that moved most within five closes', () => {
    const days = [...Array.from({ length: 6 }, () => reading(100, quiet)), reading(96, loud)];
    expect(noteOf(trackOf(days), days.at(-1) as Reading, true)).toBe(
      'Closed 4.0 % below its 21-day high, 40 % of the way to a breach at 90.00. ' +
        'Moved most in five days: Volatility up from 40 to 88, Velocity up from 30 to 71.',
    );
  });

  test('compares the close with the fifth before it, and the forming day likewise', () => {
    const old = reading(100, { 'D-03': 0.1, 'D-11': 0.9 });
    const days = [old, ...Array.from({ length: 4 }, () => reading(100, quiet))];
    expect(noteOf(trackOf(days), reading(96, { 'D-03': 0.5, 'D-11': 0.2 }), false)).toContain(
      'Velocity down from 90 to 20, Volatility up from 10 to 50.',
    );
    const closed = [...days, reading(96, { 'D-03': 0.5, 'D-11': 0.2 })];
    expect(noteOf(trackOf(closed), closed.at(-1) as Reading, true)).toContain(
      'Velocity down from 90 to 20, Volatility up from 10 to 50.',
    );
  });

  test('names no dimension when fewer than two moved or are known, or without a week of history', () => {
    const still = [...Array.from({ length: 6 }, () => reading(100, quiet)), reading(96, { ...quiet, 'D-03': 0.9 })];
    expect(noteOf(trackOf(still), still.at(-1) as Reading, true)).not.toContain('Moved');
    const unknown = [...Array.from({ length: 6 }, () => reading(100)), reading(96, loud)];
    expect(noteOf(trackOf(unknown), unknown.at(-1) as Reading, true)).not.toContain('Moved');
    const young = [reading(100, quiet), reading(96, loud)];
    expect(noteOf(trackOf(young), young.at(-1) as Reading, true)).not.toContain('Moved');
  });

  test('explains the confidence during an event, and a High Risk withheld by a calm market', () => {
    const note = (more: Partial<Reading>) => noteOf(trackOf([reading(100), reading(96)]), reading(96, {}, more), false);
    expect(note({ claim: 'further_fall' })).toContain('half a threshold more within 21 bars');
    expect(note({ isWithheld: true })).toContain('no High Risk while the turbulence of the market (D-12)');
    expect(note({})).not.toContain('half a threshold');
    expect(note({})).not.toContain('D-12');
  });

  test('has a text at the high, past a breach, and before there is enough history', () => {
    const days = [reading(100), reading(96)];
    expect(noteOf(trackOf(days), reading(101, {}, { drawdownFraction: 0 }), false)).toBe(
      'Trades at its 21-day high; a fall to 90.00 would be a breach.',
    );
    expect(noteOf(trackOf(days), reading(80, {}, { drawdownFraction: 1.9 }), false)).toContain(
      'past the breach level of 90.00',
    );
    expect(noteOf(trackOf(days), reading(96, loud, { drawdownFraction: null }), true)).toContain(
      'not enough price history',
    );
  });
});

test('a price has the decimals of its size', () => {
  expect([12_345.6, 527.1, 1.1, 0.0000085123].map(priceText)).toEqual(['12,346', '527.10', '1.1000', '0.000008512']);
});
