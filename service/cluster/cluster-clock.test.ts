// Service, cluster, test: world time on a node, with and without heartbeats of a leader.
import { expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../shared/lib/time.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { REAL_TIME } from '../market/world-clock.ts';
import { createClusterClock } from './cluster-clock.ts';
import { createContact } from './contact.ts';

const WALL = Date.parse('2026-03-02T15:00:00Z');
const IN_CONTACT = { uncertainMs: () => 0 };
const START = Date.parse('2024-03-01T09:30:00Z');

test('real time without heartbeats counts as unevaluated only after the time of a fail-over', async () => {
  const wall = createManualClock(WALL);
  const world = createClusterClock(REAL_TIME, wall, IN_CONTACT);
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
  const [replay, frozen] = [60, 0].map((speed) => createClusterClock({ start: START, speed }, wall, IN_CONTACT));
  for (const world of [replay, frozen]) world?.receive(START + MINUTE_MS);
  await wall.advance(10 * SECOND_MS);
  expect(replay?.unevaluatedMs()).toBe(10 * MINUTE_MS);
  expect(frozen?.unevaluatedMs()).toBe(0);
});

test('a world that has not begun stands while its node is cut off: a leader may have begun it', async () => {
  const wall = createManualClock(WALL);
  const contact = createContact(wall.now);
  const world = createClusterClock(REAL_TIME, wall, contact);
  await wall.advance(MINUTE_MS);
  expect(world.unevaluatedMs()).toBe(contact.uncertainMs());
  expect(world.now()).toBe(wall.now() - contact.uncertainMs());
  contact.answered(false);
  expect([world.now(), world.unevaluatedMs()]).toEqual([wall.now(), 0]);
});

test('a leader has no unevaluated time, nor has a world that has not begun', async () => {
  const wall = createManualClock(WALL);
  const world = createClusterClock(REAL_TIME, wall, IN_CONTACT);
  await wall.advance(MINUTE_MS);
  expect(world.unevaluatedMs()).toBe(0);
  world.receive(WALL);
  world.lead();
  await wall.advance(MINUTE_MS);
  expect(world.unevaluatedMs()).toBe(0);
});

test('a leader that may have been replaced evaluates no further, until it is in contact again', async () => {
  const wall = createManualClock(WALL);
  const contact = createContact(wall.now);
  const world = createClusterClock(REAL_TIME, wall, contact);
  world.lead();
  await wall.advance(MINUTE_MS);
  expect(world.now()).toBe(WALL + 3 * SECOND_MS);
  expect(world.unevaluatedMs()).toBe(57 * SECOND_MS);
  contact.answered();
  expect([world.now(), world.unevaluatedMs()]).toEqual([WALL + MINUTE_MS, 0]);
});

test('a leader that reports the same time again has hung', async () => {
  const wall = createManualClock(WALL);
  const world = createClusterClock(REAL_TIME, wall, IN_CONTACT);
  for (let second = 0; second < 60; second += 1) {
    world.receive(WALL);
    await wall.advance(SECOND_MS);
  }
  expect(world.unevaluatedMs()).toBe(MINUTE_MS);
});

test('a node that hears nothing is behind another where one led, and cut off in any case', async () => {
  const wall = createManualClock(WALL);
  const contact = createContact(wall.now);
  contact.answered(false);
  await wall.advance(6 * SECOND_MS);
  expect([contact.cutOffMs(), contact.isBehindOther()]).toEqual([6 * SECOND_MS, false]);
  contact.answered(true);
  expect([contact.cutOffMs(), contact.isBehindOther()]).toEqual([0, false]);
  await wall.advance(6 * SECOND_MS);
  expect([contact.cutOffMs(), contact.isBehindOther()]).toEqual([6 * SECOND_MS, true]);
});
