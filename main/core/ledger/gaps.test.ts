// Test: gaps: one of a kind is open at a time, proof closes it, and lost events stay open.

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { plainMessage, textOf } from '../../../shared/text/message.ts';
import { migrate } from '../files/migrate.ts';
import { createGapStore } from './gaps.ts';
import { MIGRATIONS } from './migrations.ts';

const at = (minute: number): string => `2026-03-02T14:${minute}:00.000Z`;
function openGaps() {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  return createGapStore(db);
}

test('one gap of each kind is open at a time; each loss has its own row', () => {
  const gaps = openGaps();
  expect([
    gaps.open('downtime', at(30), null, plainMessage('asleep')),
    gaps.open('downtime', at(31), null, plainMessage('asleep')),
  ]).toEqual([true, false]);
  expect(gaps.open('hole', at(31), null, plainMessage('left out'))).toBe(true);
  expect([
    gaps.open('lost', at(31), at(32), plainMessage('a')),
    gaps.open('lost', at(31), at(32), plainMessage('b')),
  ]).toEqual([true, true]);
  expect(gaps.newest(9).map(({ cause }) => textOf(cause))).toEqual(['b', 'a', 'left out', 'asleep']);
});

test('back-fill closes every gap except losses, and none before it began', () => {
  const gaps = openGaps();
  gaps.open('downtime', at(30), null, plainMessage('asleep'));
  gaps.open('hole', at(50), null, plainMessage('a clock was set back meanwhile'));
  gaps.open('lost', at(31), at(32), plainMessage('no record'));
  expect(gaps.closeAll(at(40), 3)).toBe(true);
  expect(gaps.newest(9).map(({ from, to, closed, lost, filled }) => ({ from, to, closed, lost, filled }))).toEqual([
    { from: at(31), to: at(32), closed: false, lost: true, filled: 0 },
    { from: at(50), to: at(50), closed: true, lost: false, filled: 3 },
    { from: at(30), to: at(40), closed: true, lost: false, filled: 3 },
  ]);
  expect([gaps.hasOpen(), gaps.closeAll(at(41), 0)]).toEqual([false, false]);
});

test('an open gap is shown despite any number of later rows; gaps that back-fill can close come first', () => {
  const gaps = openGaps();
  gaps.open('downtime', at(30), null, plainMessage('asleep'));
  gaps.open('lost', at(31), at(32), plainMessage('no record'));
  for (let day = 10; day < 19; day += 1)
    gaps.recordProblem('odd', `2026-03-${day}T14:00:00.000Z`, plainMessage('no time'));
  const ids = (limit: number): number[] => gaps.shown(limit).map(({ id }) => id);
  expect([ids(50), ids(4), ids(2), ids(1)]).toEqual([[11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], [11, 10, 2, 1], [2, 1], [1]]);
  expect(gaps.newest(2).map(({ id }) => id)).toEqual([11, 10]);
});
