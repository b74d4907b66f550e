// Test: finds folders that import each other, directly or through siblings.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sourceFiles } from './files.ts';

/** Top folders whose folders have an order. */
const ORDERED = ['shared', 'client', 'conformance', 'service', 'main'] as const;

const IMPORT = /^(?:import|export)(?:[^'`;]* from)? '(\.[^']+)'/gm;

type Arrows = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Which folder imports which one beside it, and an import that shows it. Files of a folder's own folders count as its own. */
function arrowsBetweenSiblings(root: string): Arrows {
  const arrows = new Map<string, Map<string, string>>();
  for (const path of sourceFiles(root, ORDERED)) {
    if (/\.test\.tsx?$/.test(path)) continue;
    for (const [, specifier = ''] of readFileSync(join(root, path), 'utf8').matchAll(IMPORT)) {
      const imported = join(dirname(path), specifier);
      const [from, to] = siblings(dirname(path).split('/'), dirname(imported).split('/'));
      if (from === null || to === null) continue;
      const targets = arrows.get(from) ?? new Map<string, string>();
      arrows.set(from, targets.set(to, `${path} → ${imported}`));
    }
  }
  return arrows;
}

/** The folders beside each other in which two paths part; null where one folder lies in the other. */
function siblings(from: readonly string[], to: readonly string[]): readonly [string, string] | readonly [null, null] {
  const parting = from.findIndex((name, index) => name !== to[index]);
  if (parting < 1 || to[parting] === undefined) return [null, null];
  return [from.slice(0, parting + 1).join('/'), to.slice(0, parting + 1).join('/')];
}

/** The shortest chain of arrows from a folder back to itself; null where there is none. */
function cycleOf(arrows: Arrows, start: string): readonly string[] | null {
  const chains: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  for (const chain of chains)
    for (const next of arrows.get(chain.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return [...chain, start];
      if (!seen.has(next)) chains.push([...chain, next]);
      seen.add(next);
    }
  return null;
}

/** One line per cycle, with the import behind each arrow. */
export function folderCycles(root: string): string[] {
  const arrows = arrowsBetweenSiblings(root);
  const found = new Map<string, string>();
  for (const folder of [...arrows.keys()].sort()) {
    const cycle = cycleOf(arrows, folder);
    if (cycle === null) continue;
    const imports = cycle.slice(1).map((to, index) => `  ${arrows.get(cycle[index] ?? '')?.get(to)}`);
    const name = [...cycle.slice(1)].sort().join();
    if (!found.has(name))
      found.set(
        name,
        [`${cycle.join(' → ')}: move what both need into a folder that both may import.`, ...imports].join('\n'),
      );
  }
  return [...found.values()];
}
