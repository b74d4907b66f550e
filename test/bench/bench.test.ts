// Bench: tests the arguments, the sum of the rounds, the comparison with goals, and results.json.
// Nothing is timed here.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { TOP } from '../harness/processes.ts';
import { compare, exponentOf, growth, interleave, median, quantile } from './measure.ts';
import { evaluate, failed, goalLabel, keeps, resultsOf } from './report.ts';
import type { Outcome, Row } from './row.ts';
import { ROWS } from './rows.ts';

const row = (goal: Row['goal'] = { atLeast: 0.6 }): Pick<Row, 'name' | 'what' | 'floor' | 'goal'> => ({
  name: 'one',
  what: 'this',
  floor: 'that',
  goal,
});
const outcome: Outcome = compare(
  { product: [6, 9, 6], floor: [10, 10, 12] },
  { product: 'ours', floor: 'bare', unit: 'ms', notes: ['a note'] },
);

test('the command says wrong arguments in one line, with exit code 2', { tags: ['long'] }, () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join('test', 'bench', 'cli.ts'), '--only', 'nothing'],
    {
      cwd: TOP,
      encoding: 'utf8',
    },
  );
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^error: option '--only <name>' argument 'nothing' is invalid\. Names: [\w, -]+\.\n$/);
});

test('rows have names of their own, in small letters, and say what they measure against what', () => {
  expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length);
  for (const { name, what, floor } of ROWS) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(what.length).toBeGreaterThan(20);
    expect(floor.length).toBeGreaterThan(10);
  }
});

describe('rounds', () => {
  test('sides take turns, each first every other time; warm-ups are not counted', async () => {
    const order: string[] = [];
    const side = (name: string) => () => order.push(name);
    const pair = await interleave({ product: side('p'), floor: side('f'), warmups: 1, rounds: 3 });
    expect(order.join('')).toBe('fppffppf'.slice(0, order.length));
    expect([pair.product.length, pair.floor.length]).toEqual([3, 3]);
  });
  test('a row has three rounds even when its time is over', async () => {
    const pair = await interleave({ product: () => 1, floor: () => 1, budget: -1 });
    expect(pair.product).toHaveLength(3);
  });
  test('the ratio is the median of the ratios of the rounds', () => {
    expect(outcome.ratio).toBeCloseTo(0.6, 12);
    expect(outcome.spread).toEqual([0.5, 0.9]);
  });
  test('an allowance is added to the floor', () => {
    expect(compare({ product: [50], floor: [10] }, { product: '', floor: '', unit: 'ms', allowance: 40 }).ratio).toBe(
      1,
    );
  });
  test('medians and quantiles', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([quantile(hundred, 0.99), quantile(hundred, 0.5), quantile([7], 0.99)]).toEqual([99, 50, 7]);
    expect(() => median([])).toThrow(RangeError);
    expect(() => quantile([], 0.5)).toThrow(RangeError);
  });
  test('the exponent of growth', () => {
    const points = [10, 100, 1000].map((size) => ({ size, cost: 3 * size ** 1.5 }));
    expect(exponentOf(points)).toBeCloseTo(1.5, 12);
    const flat = growth(
      [10, 100, 1000].map((size) => ({ size, values: [5, 5] })),
      'rows',
      'us',
    );
    expect(flat.ratio).toBeCloseTo(0, 12);
    expect(flat.sides.map(({ label }) => label)).toEqual(['1,000 rows', '10 rows', '100 rows']);
  });
});

describe('report', () => {
  test('goals as text, and met', () => {
    expect([goalLabel({ atLeast: 0.6 }), goalLabel({ atMost: 1.5 }), goalLabel({ atLeast: 0.8, atMost: 1.2 })]).toEqual(
      ['>= 0.6', '<= 1.5', '0.8 to 1.2'],
    );
    expect([
      keeps({ atLeast: 0.6 }, 0.6),
      keeps({ atLeast: 0.6 }, 0.59),
      keeps({ atMost: 1 }, 1.01),
      keeps({ atLeast: 0.8, atMost: 1.2 }, 1.3),
    ]).toEqual([true, false, false, false]);
  });
  test('results have the form that others rely on', () => {
    const Results = z.object({
      rows: z.array(
        z.object({
          name: z.string(),
          ratio: z.number().nullable(),
          goal: z.string().nullable(),
          pass: z.boolean().nullable(),
        }),
      ),
    });
    const rows = [
      evaluate(row(), outcome, 1),
      evaluate(row({ atLeast: 0.9 }), outcome, 1),
      evaluate(row(null), outcome, 1),
      failed(row(), 'it broke', 1),
    ];
    const read = Results.parse(JSON.parse(JSON.stringify(resultsOf(rows))));
    expect(read.rows.map(({ pass }) => pass)).toEqual([true, false, null, false]);
    expect(read.rows.map(({ goal }) => goal)).toEqual(['>= 0.6', '>= 0.9', null, '>= 0.6']);
    expect(read.rows.at(-1)?.ratio).toBeNull();
  });
});
