// Service, cluster, test: world time on a node, with and without heartbeats of a leader.
import { expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../shared/lib/time.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { REAL_TIME } from '../market/world-clock.ts';
import { createClusterClock } from './cluster-clock.ts';

const WALL = Date.parse('2026-03-02T15:00:00Z');
const START = Date.parse('2024-03-01T09:30:00Z');

test('real time without heartbeats counts as unevaluated only after the time of a fail-over', async () => {
  const wall = createManualClock(WALL);
  const world = createClusterClock(REAL_TIME, wall);
  world.receive(WALL - SECOND_MS);
  await wall.advance(5 * SECOND_MS);
  expect(world.unevaluatedMs()).toBe(0);
  await wall.advance(MINUTE_MS);
  expect(world.unevaluatedMs()).toBe(MINUTE_MS + 6 * SECOND_MS);
  expect(world.now()).toBe(WALL - SECOND_MS);
  world.receive(wall.now());
  expect(world.unevaluatedMs()).toBe(0);
});

test('a replay counts at its own speed, a frozen world not at all', async () => {
  const wall = createManualClock(WALL);
  const [replay, frozen] = [60, 0].map((speed) => createClusterClock({ start: START, speed }, wall));
  for (const world of [replay, frozen]) world?.receive(START + MINUTE_MS);
  await wall.advance(10 * SECOND_MS);
  expect(replay?.unevaluatedMs()).toBe(10 * MINUTE_MS);
  expect(frozen?.unevaluatedMs()).toBe(0);
});

test('a leader has no unevaluated time, nor has a world that has not begun', async () => {
  const wall = createManualClock(WALL);
  const world = createClusterClock(REAL_TIME, wall);
  await wall.advance(MINUTE_MS);
  expect(world.unevaluatedMs()).toBe(0);
  world.receive(WALL);
  world.lead();
  await wall.advance(MINUTE_MS);
  expect(world.unevaluatedMs()).toBe(0);
});
