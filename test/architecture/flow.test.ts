// Test: imports connect the listed files of a transition and of an acknowledgement.
// The two lists are in ARCHITECTURE.md.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TOP } from './files.ts';

const text = readFileSync(join(TOP, 'ARCHITECTURE.md'), 'utf8');

interface Step {
  readonly path: string;
  /** The file starts in another process: nothing above imports it. */
  readonly isBoundary: boolean;
}

/** The numbered list below a heading of the third level. */
function stepsBelow(heading: string): Step[] {
  const section = text.split(`### ${heading}\n`)[1]?.split('\n##')[0] ?? '';
  return [...section.matchAll(/^\d+\. `([^`]+)` (\*boundary)?/gm)].map(([, path = '', boundary]) => ({
    path,
    isBoundary: boundary !== undefined,
  }));
}

/** Files that a file names as modules, from the top of the repository. */
function importsOf(path: string): string[] {
  const source = readFileSync(join(TOP, path), 'utf8');
  return [...source.matchAll(/from '(\.{1,2}\/[^']+)'/g)].map(([, name = '']) => normalize(join(dirname(path), name)));
}

describe.each([
  ['One transition, file by file', 20, 45],
  ['An acknowledgement, back', 5, 15],
])('%s', (heading, least, most) => {
  const steps = stepsBelow(heading);

  test('names files that exist', () => {
    expect(steps.length).toBeGreaterThan(least);
    expect(steps.length).toBeLessThanOrEqual(most);
    expect(steps.filter(({ path }) => !existsSync(join(TOP, path)))).toEqual([]);
  });

  test('each file imports, or is imported by, one above it', () => {
    const alone = steps.filter(({ path, isBoundary }, index) => {
      if (index === 0 || isBoundary) return false;
      const own = importsOf(path);
      return !steps.slice(0, index).some((above) => own.includes(above.path) || importsOf(above.path).includes(path));
    });
    expect(alone.map(({ path }) => path)).toEqual([]);
  });
});
