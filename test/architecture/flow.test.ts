// Test: values of imports, or calls that a note names, join the files of the lists in ARCHITECTURE.md.
// The lists are those of a transition, a notification and an acknowledgement.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TOP } from './files.ts';

const text = readFileSync(join(TOP, 'ARCHITECTURE.md'), 'utf8');

/** A call without an import of a value: the caller has the called object from a third file. */
interface Call {
  /** End of the path of the file above that calls, or is called. */
  readonly other: string;
  /** A name that both files have. */
  readonly through: string;
}

interface Step {
  readonly path: string;
  readonly call: Call | null;
  /** Names of types that it takes or makes: **`EventDraft`**. */
  readonly shapes: readonly string[];
  /** What the event crosses to this file from another process; null: it stays in its process. */
  readonly boundary: string | null;
}

/** The numbered lists below a heading of the third level. */
function stepsBelow(heading: string): Step[] {
  const section = text.split(`### ${heading}\n`)[1]?.split('\n##')[0] ?? '';
  return [...section.matchAll(/^\d+\. `([^`]+)`(.*)$/gm)].map(([, path = '', line = '']) => {
    const [, other, through] = /\*(?:called by|calls) `([^`]+)` through `([^`]+)`\*/.exec(line) ?? [];
    return {
      path,
      call: other === undefined || through === undefined ? null : { other, through },
      shapes: [...line.matchAll(/\*\*`(\w+)`\*\*/g)].map(([, name = '']) => name),
      boundary: /\*boundary: ([^.*]+)\.\*/.exec(line)?.[1] ?? null,
    };
  });
}

const sourceOf = (path: string): string => readFileSync(join(TOP, path), 'utf8');

/** Files of which this source imports or exports a value, from the top of the repository. */
function valueImports(source: string, path: string): string[] {
  return [...source.matchAll(/^(?:import|export)\s+(?!type\b)([^'";]*?)\s*from '(\.{1,2}\/[^']+)'/gm)]
    .filter(([, names = '']) => names.split(/[{},]/).some((name) => /^(?!type\s)\S/.test(name.trim())))
    .map(([, , name = '']) => normalize(join(dirname(path), name)));
}

const hasWord = (source: string, word: string): boolean =>
  new RegExp(`(?<![\\w$])${word.replaceAll('.', '\\.')}(?![\\w$])`).test(source);

/** Why a step is joined to none above it; null: it is. */
function faultOf(step: Step, above: readonly Step[]): string | null {
  const { path, call } = step;
  if (call !== null) {
    const named = above.filter((one) => `/${one.path}`.endsWith(`/${call.other}`));
    const [other] = named;
    if (other === undefined || named.length > 1) return `${path}: ${named.length} files above are ${call.other}`;
    const without = [other, step].find((one) => !hasWord(sourceOf(one.path), call.through));
    return without === undefined ? null : `${path}: ${without.path} has no ${call.through}`;
  }
  const own = valueImports(sourceOf(path), path);
  const isJoined = above.some(
    (other) => own.includes(other.path) || valueImports(sourceOf(other.path), other.path).includes(path),
  );
  return isJoined ? null : `${path}: no value is imported from it, or by it, above`;
}

test('an import of types alone joins nothing', () => {
  const source = [
    "import type { A } from './a.ts';",
    "import { type B, type C } from './b.ts';",
    "import {\n  type D,\n  make,\n} from './d.ts';",
    "export type { E } from './e.ts';",
    "export { F } from './f.ts';",
  ].join('\n');
  expect(valueImports(source, 'main/core/x.ts')).toEqual(['main/core/d.ts', 'main/core/f.ts']);
});

describe.each([
  ['One transition, file by file', 30, 45],
  ['A notification, to its channel', 5, 12],
  ['An acknowledgement, back', 10, 20],
])('%s', (heading, least, most) => {
  const steps = stepsBelow(heading);

  test('names files that exist, each once', () => {
    expect(steps.length).toBeGreaterThan(least);
    expect(steps.length).toBeLessThanOrEqual(most);
    expect(steps.filter(({ path }) => !existsSync(join(TOP, path)))).toEqual([]);
    expect(new Set(steps.map(({ path }) => path)).size).toBe(steps.length);
  });

  test('each file is joined to one above it', () => {
    const faults = steps.slice(1).map((step, index) => faultOf(step, steps.slice(0, index + 1)));
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });

  test('each file has the types that its line names', () => {
    const missing = steps.flatMap(({ path, shapes }) =>
      shapes.filter((name) => !hasWord(sourceOf(path), name)).map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });
});

test('a transition crosses two boundaries of processes, and has nine types on its way', () => {
  const steps = stepsBelow('One transition, file by file');
  expect(steps.flatMap(({ boundary }) => boundary ?? [])).toEqual(['HTTP', 'the link']);
  expect(steps.flatMap(({ shapes }) => shapes)).toEqual([
    'EventDraft',
    'EventEnvelope',
    'TransitionRecord',
    'StreamMessage',
    'ReceivedEvent',
    'RecordedTransition',
    'Row',
    'RowSignal',
    'SymbolView',
  ]);
});
