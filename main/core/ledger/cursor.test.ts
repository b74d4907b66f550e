// Test: the cursor alone: how it moves, which contradictions it detects, which numbers are free.
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { migrate } from '../files/migrate.ts';
import { createCursorStore } from './cursor.ts';
import { MIGRATIONS } from './migrations.ts';

function openCursor() {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  return createCursorStore(db);
}

test('a number is free beyond the cursor unless an event is pending under it', () => {
  const cursor = openCursor();
  cursor.learn(5);
  cursor.record(8, 'e8');
  expect([4, 5, 6, 7, 8, 9].map(cursor.isFree)).toEqual([false, false, true, true, false, true]);
  cursor.record(6, 'e6');
  cursor.record(7, 'e7');
  expect([7, 8, 9].map(cursor.isFree)).toEqual([false, false, true]);
});

test('no number is certainly free while the cursor has none', () => {
  const cursor = openCursor();
  expect(cursor.isFree(1)).toBe(false);
  cursor.learn(5);
  cursor.restart(null);
  expect([6, 7].map(cursor.isFree)).toEqual([false, false]);
});

test('two events with one number are two logs: at the cursor, beyond it, and at the target of a skip', () => {
  const cursor = openCursor();
  cursor.follow('e5');
  cursor.learn(5);
  expect([cursor.record(5, 'e5'), cursor.record(5, 'other'), cursor.record(3, 'whatever')]).toEqual([
    true,
    false,
    true,
  ]);
  cursor.record(8, 'e8');
  expect([cursor.record(8, 'e8'), cursor.record(8, 'other')]).toEqual([true, false]);
  cursor.skipTo(8);
  expect(cursor.record(8, 'other')).toBe(false);
  expect(cursor.record(8, 'e8')).toBe(true);
  expect([cursor.current().seq, cursor.current().eventId, cursor.hasPending()]).toEqual([8, 'e8', false]);
});

test('pending events join as soon as the cursor has a number', () => {
  const cursor = openCursor();
  for (const seq of [8, 9, 11]) cursor.record(seq, `e${seq}`);
  cursor.learn(7);
  expect([cursor.current().seq, cursor.pendingIds()]).toEqual([9, ['e11']]);
});

test('events pending in one log are not pending in the next', () => {
  const cursor = openCursor();
  cursor.record(8, 'e8');
  cursor.restart(null);
  expect(cursor.hasPending()).toBe(false);
  cursor.learn(7);
  expect([cursor.current().seq, cursor.pendingIds()]).toEqual([7, []]);
});

test('a noted number is never free, in whatever order numbers arrive', { tags: ['long'] }, () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 40 }), fc.boolean(), (numbers, isKnown) => {
      const cursor = openCursor();
      if (isKnown) cursor.learn(0);
      const noted = new Set<number>();
      for (const number of numbers) {
        cursor.record(number, `e${number}`);
        noted.add(number);
        for (const each of noted) expect(cursor.isFree(each)).toBe(false);
      }
    }),
  );
});
