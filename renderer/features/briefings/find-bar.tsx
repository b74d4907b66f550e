// Renderer: find in the open briefing: field, number of matches, next and previous.
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { Icon, IconButton } from '../../ui/icon.tsx';

interface FindBarProps {
  readonly root: RefObject<HTMLElement | null>;
  /** Changes when the text changes. */
  readonly text: unknown;
  readonly query: string;
  /** Counts requests, so that each one focuses the field again. */
  readonly turn: number;
  readonly onQuery: (query: string) => void;
  readonly onClose: () => void;
}

const messages = texts.briefings;

export function FindBar({ root, text, query, turn, onQuery, onClose }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const find = useFind(root, query, text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every request focuses the field.
  useEffect(() => field.current?.select(), [turn]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') find.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="find-bar" aria-label={messages.find}>
      <label className="search-field">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          aria-label={messages.find}
          placeholder={messages.find}
          maxLength={200}
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <output className="cond t3">{query.trim() === '' ? '' : messages.findCount(find.at + 1, find.count)}</output>
      </label>
      <IconButton icon="up" label={messages.findPrevious} onClick={() => find.step(-1)} />
      <IconButton icon="down" label={messages.findNext} onClick={() => find.step(1)} />
      <IconButton icon="close" label={messages.findClose} onClick={onClose} />
    </search>
  );
}

interface FindState {
  readonly count: number;
  /** Index of the current match, from 0. */
  readonly at: number;
  readonly step: (by: 1 | -1) => void;
}

const ALL = 'find';
const HERE = 'find-here';

/**
 * Matches are CSS highlights, so the text does not change.
 * @param text changes when the text under `root` changes
 */
function useFind(root: { readonly current: HTMLElement | null }, query: string, text: unknown): FindState {
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

/** A position between two characters: the segment, and the offset in it. */
interface TextPosition {
  readonly segment: number;
  readonly offset: number;
}
interface Match {
  readonly from: TextPosition;
  readonly to: TextPosition;
}

/** Counting ends here. */
export const MAX_MATCHES = 1000;

/** Ignores case; treats all white space alike. @returns in order, at most MAX_MATCHES */
export function findIn(segments: readonly string[], query: string): readonly Match[] {
  const trimmed = query.trim();
  if (trimmed === '') return [];
  const pattern = new RegExp(trimmed.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll(/\s+/g, '\\s+'), 'giu');
  const begins: number[] = [];
  let length = 0;
  for (const segment of segments) {
    begins.push(length);
    length += segment.length;
  }
  const positionAt = (at: number, isEnd: boolean): TextPosition => {
    // An end between two segments belongs to the first of them.
    const after = begins.findIndex((begin) => (isEnd ? begin >= at : begin > at));
    const segment = (after === -1 ? begins.length : after) - 1;
    return { segment, offset: at - (begins[segment] ?? 0) };
  };
  const matches: Match[] = [];
  for (const match of segments.join('').matchAll(pattern)) {
    matches.push({ from: positionAt(match.index, false), to: positionAt(match.index + match[0].length, true) });
    if (matches.length === MAX_MATCHES) break;
  }
  return matches;
}
