// Renderer: find in the open text; matches are CSS highlights, so the text does not change.
import { useCallback, useEffect, useState } from 'react';
import { findIn, type Match } from './find.ts';

export interface FindState {
  readonly count: number;
  /** Index of the current match, from 0. */
  readonly at: number;
  readonly step: (by: 1 | -1) => void;
}

const ALL = 'find';
const HERE = 'find-here';

/** @param text changes when the text under `root` changes */
export function useFind(root: { readonly current: HTMLElement | null }, query: string, text: unknown): FindState {
  const [ranges, setRanges] = useState<readonly Range[]>([]);
  const [at, setAt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: search again in another text.
  useEffect(() => {
    setRanges(root.current === null ? [] : rangesOf(root.current, query));
    setAt(0);
  }, [root, query, text]);
  useEffect(() => {
    const here = ranges[at];
    paint(ALL, ranges);
    paint(HERE, here === undefined ? [] : [here]);
    here?.startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
    return () => {
      paint(ALL, []);
      paint(HERE, []);
    };
  }, [ranges, at]);
  const step = useCallback(
    (by: 1 | -1) => setAt((now) => (ranges.length === 0 ? 0 : (now + by + ranges.length) % ranges.length)),
    [ranges],
  );
  return { count: ranges.length, at: Math.min(at, Math.max(0, ranges.length - 1)), step };
}

function rangesOf(root: HTMLElement, query: string): readonly Range[] {
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    // Skips text that is not drawn.
    node.parentElement?.closest('.then-now-card, .spoken') == null
      ? NodeFilter.FILTER_ACCEPT
      : NodeFilter.FILTER_REJECT,
  );
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) nodes.push(node as Text);
  return findIn(
    nodes.map(({ data }) => data),
    query,
  ).flatMap((found) => rangeOf(nodes, found));
}

function rangeOf(nodes: readonly Text[], { from, to }: Match): Range[] {
  const begin = nodes[from.segment];
  const end = nodes[to.segment];
  if (begin === undefined || end === undefined) return [];
  const range = document.createRange();
  range.setStart(begin, from.offset);
  range.setEnd(end, to.offset);
  return [range];
}

function paint(name: string, ranges: readonly Range[]): void {
  // Older browsers count and scroll without highlights.
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}
