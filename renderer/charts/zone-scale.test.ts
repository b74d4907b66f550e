// Test: the time axis has its ticks at days and hours of the zone.
import type { Time, UTCTimestamp } from 'lightweight-charts';
import { describe, expect, it } from 'vitest';
import { datePartsIn, utcOffset, type Zone } from '../../shared/text/format.ts';
import { createZoneScale } from './zone-scale.ts';

const HOUR = 3_600_000;
/** The library's weight of a point that begins a day. */
const DAY_TURNS = 50;

type Scale = ReturnType<typeof createZoneScale>;
type Points = Parameters<Scale['fillWeightsForPoints']>[0];

const pointsOf = (scale: Scale, times: readonly Time[]): Points =>
  times.map((time) => ({
    time: scale.convertHorzItemToInternal(time),
    originalTime: time,
    timeWeight: 0,
  })) as unknown as Points;

/** The hours of the clock at which a day begins on an axis by hours. */
function turns(zone: Zone, from: string, hours: number): string[] {
  const scale = createZoneScale((ms) => utcOffset(ms, zone));
  const times = Array.from({ length: hours }, (_, hour) => ((Date.parse(from) + hour * HOUR) / 1000) as UTCTimestamp);
  const points = pointsOf(scale, times);
  scale.fillWeightsForPoints(points, 0);
  return points.flatMap(({ timeWeight, originalTime }, index) => {
    if (index === 0 || timeWeight < DAY_TURNS) return [];
    const { day, hour } = datePartsIn(Number(originalTime) * 1000, zone);
    return [`${day} ${hour}:00`];
  });
}

describe('the ticks of days', () => {
  it('are at midnight of the zone', () => {
    expect(turns('market', '2026-11-18T12:00:00Z', 72)).toEqual(['19 00:00', '20 00:00', '21 00:00']);
    expect(turns('utc', '2026-11-18T12:00:00Z', 72)).toEqual(['19 00:00', '20 00:00', '21 00:00']);
  });
});

describe('the axis', () => {
  const night = Date.parse('2026-11-19T04:00:00Z') / 1000;
  it('extends when a point is added', () => {
    const scale = createZoneScale((ms) => utcOffset(ms, 'market'));
    const points = pointsOf(scale, [night - 3600, night, night + 3600] as UTCTimestamp[]);
    scale.fillWeightsForPoints(points, 2);
    expect(points.map(({ timeWeight }) => timeWeight >= DAY_TURNS)).toEqual([false, false, true]);
  });
  it('leaves session days as they are', () => {
    const scale = createZoneScale((ms) => utcOffset(ms, 'market'));
    const points = pointsOf(
      scale,
      ['2026-11-30', '2026-12-01'].map((day) => ({
        year: 2026,
        month: Number(day.slice(5, 7)),
        day: Number(day.slice(8)),
      })),
    );
    scale.fillWeightsForPoints(points, 0);
    // A month begins.
    expect(points[1]?.timeWeight).toBe(60);
  });
});
