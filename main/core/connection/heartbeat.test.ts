// Test: the small parts of the stream: comments in raw bytes, the learnt heartbeat.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTap } from '../sources/tap.ts';
import { createHeartbeat, UNKNOWN_LIMIT } from './heartbeat.ts';

describe('tap', () => {
  const count = (...chunks: string[]): number => {
    const tap = createTap();
    return chunks.reduce((sum, chunk) => sum + tap.pass(new TextEncoder().encode(chunk)), 0);
  };
  test('counts comments whatever the line end', () => {
    expect(count(': a\n\n: b\r\n\r\n: c\r\rdata: :\n\n:\n')).toBe(4);
  });
  test('chunk borders do not matter', () => {
    const line = fc.constantFrom(': alive', 'data: x: y', '', 'id: 1', ':', 'data::');
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 20 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(200), { maxLength: 8 }),
        (lines, end, cuts) => {
          const text = lines.map((one) => one + end).join('');
          const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
          const chunks = [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
          expect(count(...chunks)).toBe(lines.filter((one) => one.startsWith(':')).length);
        },
      ),
    );
  });
});

describe('heartbeat', () => {
  test('learnt from a last comment does not end every stream: each end doubles it', () => {
    const heartbeat = createHeartbeat();
    heartbeat.comment(0);
    heartbeat.comment(2_800);
    const limits: number[] = [];
    for (let life = 1; heartbeat.limit() < 15_000 * 2.5; life += 1) {
      limits.push(heartbeat.limit());
      heartbeat.restart();
      heartbeat.comment(life * 100_000);
      heartbeat.stalled();
      if (life > 20) throw new Error('it never gets slower');
    }
    expect(limits).toEqual([7_000, 14_000, 28_000]);
    // The stream is alive now, and its comments set the interval.
    for (let beat = 0; beat < 6; beat += 1) heartbeat.comment(1_000_000 + beat * 15_000);
    expect(heartbeat.interval()).toBe(15_000);
    // A stream that had confirmed the interval and falls silent is dead: its silence changes nothing.
    heartbeat.stalled();
    expect(heartbeat.interval()).toBe(15_000);
  });

  test('that would be slower than the default limit is discarded', () => {
    const heartbeat = createHeartbeat();
    heartbeat.comment(0);
    heartbeat.comment(100_000);
    heartbeat.restart();
    heartbeat.stalled();
    expect(heartbeat.limit()).toBe(UNKNOWN_LIMIT);
    expect(heartbeat.interval()).toBeNull();
  });

  test('is learnt from two comments of one connection', () => {
    const heartbeat = createHeartbeat();
    expect(heartbeat.limit()).toBe(UNKNOWN_LIMIT);
    heartbeat.comment(0);
    heartbeat.comment(10);
    expect(heartbeat.interval()).toBeNull();
    heartbeat.comment(15_000);
    expect(heartbeat.limit()).toBe(37_500);
    heartbeat.restart();
    heartbeat.comment(500_000);
    expect(heartbeat.interval()).toBe(15_000);
  });
  test('is not learnt from a sleep, nor from a clock that was set ahead', () => {
    const heartbeat = createHeartbeat();
    const night = 8 * 3_600_000;
    heartbeat.comment(0);
    heartbeat.comment(night);
    expect(heartbeat.limit()).toBe(UNKNOWN_LIMIT);
    heartbeat.comment(night + 15_000);
    expect(heartbeat.limit()).toBe(37_500);
    heartbeat.comment(2 * night);
    expect(heartbeat.limit()).toBe(37_500);
  });
  test('the slowest of the last four counts', () => {
    const heartbeat = createHeartbeat();
    for (const at of [0, 15, 45, 60, 75, 90]) heartbeat.comment(at * 1000);
    expect(heartbeat.interval()).toBe(30_000);
    heartbeat.comment(105_000);
    expect(heartbeat.interval()).toBe(15_000);
  });
});
