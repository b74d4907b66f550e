// Service, test: the clock of the served world.
import { describe, expect, it } from 'vitest';
import { type Clock, createClock } from '../../shared/lib/clock.ts';
import { HOUR_MS } from '../../shared/lib/time.ts';
import { createWorldClock, parseClockFlag, REAL_TIME } from './world-clock.ts';

/** A wall clock under test control; `set` changes the computer's clock without the timers noticing. */
function handWound(at: number): Clock & { advance(ms: number): void; set(ms: number): void } {
  let wall = at;
  let elapsed = 0;
  let pending: { due: number; job: () => void }[] = [];
  const clock = createClock<{ due: number; job: () => void }>({
    now: () => wall,
    setTimeout(job, ms) {
      const timer = { due: elapsed + ms, job };
      pending.push(timer);
      return timer;
    },
    clearTimeout(timer) {
      pending = pending.filter((one) => one !== timer);
    },
  });
  return {
    ...clock,
    set: (ms) => {
      wall = ms;
    },
    advance(ms) {
      const end = elapsed + ms;
      for (;;) {
        const next = pending.filter((one) => one.due <= end).sort((a, b) => a.due - b.due)[0];
        if (next === undefined) break;
        pending = pending.filter((one) => one !== next);
        wall += next.due - elapsed;
        elapsed = next.due;
        next.job();
      }
      wall += end - elapsed;
      elapsed = end;
    },
  };
}

const NOON = Date.UTC(2024, 2, 1, 12);

describe('createWorldClock', () => {
  it('is the real time without a start', () => {
    const wall = handWound(NOON);
    const world = createWorldClock({ clock: wall, ...REAL_TIME });
    wall.advance(1500);
    expect(world.now()).toBe(NOON + 1500);
  });

  it('stops at speed 0 and fires no timer', () => {
    const wall = handWound(NOON);
    const world = createWorldClock({ clock: wall, start: Date.UTC(2020, 1, 14), speed: 0 });
    let fired = 0;
    world.after(0, () => {
      fired += 1;
    });
    wall.advance(1e9);
    expect(world.now()).toBe(Date.UTC(2020, 1, 14));
    expect(fired).toBe(0);
  });

  it('does not run while it is paused, and says so', () => {
    const wall = handWound(NOON);
    const start = Date.UTC(2020, 1, 14);
    let isPaused = true;
    const world = createWorldClock({ clock: wall, start, speed: 3600, isPaused: () => isPaused });
    const fired: number[] = [];
    world.after(HOUR_MS, () => fired.push(world.now()));
    wall.advance(60_000);
    expect([world.now(), fired]).toEqual([start, []]);
    expect(world.pace()).toBe(0);
    isPaused = false;
    expect(world.pace()).toBe(3600);
    wall.advance(500);
    expect([world.now(), fired]).toEqual([start + HOUR_MS / 2, []]);
    wall.advance(520);
    expect(fired).toHaveLength(1);
  });

  it('runs n times as fast from its start, and waits in world time', () => {
    const wall = handWound(NOON);
    const start = Date.UTC(2020, 1, 14);
    const world = createWorldClock({ clock: wall, start, speed: 60 });
    const fired: number[] = [];
    world.after(600_000, () => fired.push(world.now()));
    wall.advance(9_999);
    expect(world.now()).toBe(start + 599_940);
    expect(fired).toEqual([]);
    wall.advance(1);
    expect(fired).toEqual([start + 600_000]);
  });

  it('does not fire a cancelled timer', () => {
    const wall = handWound(NOON);
    const world = createWorldClock({ clock: wall, start: NOON, speed: 10 });
    let fired = 0;
    const cancel = world.after(1000, () => {
      fired += 1;
    });
    cancel();
    wall.advance(10_000);
    expect(fired).toBe(0);
  });

  it('continues from the stored world time', () => {
    const wall = handWound(NOON);
    const reached = Date.UTC(2020, 1, 20);
    expect(createWorldClock({ clock: wall, start: Date.UTC(2020, 1, 14), speed: 60, reached }).now()).toBe(reached);
    expect(createWorldClock({ clock: wall, ...REAL_TIME, reached: NOON + 5000 }).now()).toBe(NOON + 5000);
    expect(createWorldClock({ clock: wall, ...REAL_TIME, reached: NOON - 5000 }).now()).toBe(NOON);
  });

  it('never runs back when the wall clock is set back', () => {
    const wall = handWound(NOON);
    const real = createWorldClock({ clock: wall, ...REAL_TIME });
    const fast = createWorldClock({ clock: wall, start: 0, speed: 10 });
    wall.advance(1000);
    expect([real.now(), fast.now()]).toEqual([NOON + 1000, 10_000]);
    wall.set(NOON - HOUR_MS);
    expect([real.now(), fast.now()]).toEqual([NOON + 1000, 10_000]);
    wall.advance(500);
    expect(real.now()).toBe(NOON + 1000);
    expect(fast.now()).toBe(15_000);
  });

  it('waits out its world time when the wall clock is set back meanwhile', () => {
    const wall = handWound(NOON);
    const world = createWorldClock({ clock: wall, ...REAL_TIME });
    const fired: number[] = [];
    world.after(1000, () => fired.push(world.now()));
    wall.set(NOON - 10_000);
    wall.advance(10_999);
    expect(fired).toEqual([]);
    wall.advance(1);
    expect(fired).toEqual([NOON + 1000]);
  });

  it('refuses an invalid speed', () => {
    const wall = handWound(NOON);
    for (const speed of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => createWorldClock({ clock: wall, start: 0, speed })).toThrow(RangeError);
    }
    expect(() => createWorldClock({ clock: wall, start: null, speed: 2 })).toThrow('runs at speed 1');
  });
});

describe('parseClockFlag', () => {
  const cases: [string, number, number][] = [
    ['2020-02-14', Date.UTC(2020, 1, 14), 0],
    ['2020-02-14T09:30:00Z', Date.UTC(2020, 1, 14, 9, 30), 0],
    ['2020-02-14T09:30:00.250+02:00', Date.UTC(2020, 1, 14, 7, 30, 0, 250), 0],
    ['2020-02-14,x3600', Date.UTC(2020, 1, 14), 3600],
    [' 2020-02-14T00:00:00Z , x0.5 ', Date.UTC(2020, 1, 14), 0.5],
  ];
  it.each(cases)('reads %s', (text, start, speed) => {
    expect(parseClockFlag(text)).toEqual({ ok: true, value: { start, speed } });
  });

  it.each(['', 'yesterday', '2020-02-30', '2020-02-14T09:30:00', '14.02.2020', '2020-02-14x60', '1581638400000'])(
    'refuses the instant "%s" in one line that shows the right form',
    (text) => {
      const result = parseClockFlag(text);
      expect(result.ok).toBe(false);
      if (!result.ok) expect(result.error).toMatch(/^--clock ".*" is no moment: write a date \(2024-03-01\).*$/);
    },
  );

  it.each(['', 'x', '60', 'x0', 'x-1', 'x1e3', 'x999999', 'xNaN', 'x60,x60'])(
    'refuses the speed "%s" likewise',
    (pace) => {
      const result = parseClockFlag(`2020-02-14,${pace}`);
      expect(result.ok).toBe(false);
      if (!result.ok) expect(result.error).toMatch(/^--clock speed ".*" is not understood: write x60 .*$/);
    },
  );
});
