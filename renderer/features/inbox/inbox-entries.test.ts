// Test: which entries are drawn, and the scroll offset that keeps them in place.
import { describe, expect, it } from 'vitest';
import { riskOrder } from '../../../shared/domain/risk-order.ts';
import { alert, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { inboxGroups } from './groups.ts';
import {
  anchoredOffset,
  type Entry,
  entriesOf,
  indexOfItem,
  itemIds,
  pinnedIndexes,
  type ShownGroup,
} from './inbox-entries.ts';

const NAMES = ['SPY', 'QQQ', 'IWM', 'DIA', 'TLT', 'GLD'];
/** One High Risk per symbol; the ledger id is its position, from 1. */
const active = inboxGroups(
  NAMES.map((symbol, position) => alert(transition(symbol, 0, 2, T0 - position), position + 1)),
  {},
  [],
  riskOrder([], () => undefined),
).needsYou;
const group = (id: string, items: ShownGroup['items']): ShownGroup => ({ id, name: id, tone: 'open', items });
const named = (entries: readonly Entry[], indexes: readonly number[]): string[] =>
  indexes.map((index) => {
    const entry = entries[index];
    return entry?.kind === 'item' ? entry.item.alert.transition.symbol : (entry?.key ?? '');
  });
const all = (entries: readonly Entry[]): string[] =>
  named(
    entries,
    entries.map((_, index) => index),
  );

describe('the entries', () => {
  it('are the one above, then every group with its heading and its items', () => {
    expect(all(entriesOf([group('a', active.slice(0, 2)), group('b', active.slice(2, 3))]))).toEqual([
      'before',
      'a',
      'SPY',
      'QQQ',
      'between',
      'b',
      'IWM',
    ]);
  });
  it('include a text for an empty group that has one', () => {
    expect(all(entriesOf([{ ...group('a', []), none: 'Nothing.' }]))).toEqual(['before', 'a', 'a none', 'between']);
    expect(all(entriesOf([group('a', [])]))).toEqual(['before', 'a', 'between']);
  });
  it('give an item that moved to another group another key', () => {
    const [inA, inB] = ['a', 'b'].map((id) => entriesOf([group(id, active.slice(0, 1))])[2]?.key);
    expect(inA).not.toBe(inB);
  });
});

describe('entries drawn at any scroll position', () => {
  const entries = entriesOf([group('a', active)]);

  it('include no item where no key acts on one', () => {
    expect(named(entries, pinnedIndexes(entries, [null], null))).toEqual(['before', 'a', 'between']);
  });
  it('include the item that the keys act on, and those to which arrows go from there', () => {
    expect(named(entries, pinnedIndexes(entries, [4], null))).toEqual(['before', 'a', 'IWM', 'DIA', 'TLT', 'between']);
  });
  it('include the first and the last item, with their one neighbour', () => {
    expect(named(entries, pinnedIndexes(entries, [1], null))).toEqual(['before', 'a', 'SPY', 'QQQ', 'between']);
    expect(named(entries, pinnedIndexes(entries, [6], null))).toEqual(['before', 'a', 'TLT', 'GLD', 'between']);
  });
  it('include the neighbours of both, where the tab stop is not the item that the keys act on', () => {
    expect(named(entries, pinnedIndexes(entries, [1, 6], null))).toEqual([
      'before',
      'a',
      'SPY',
      'QQQ',
      'TLT',
      'GLD',
      'between',
    ]);
  });
  it('include what was visible and is still there', () => {
    const positions = [{ key: 'gone', start: 0 }, ...entries.slice(5, 7).map(({ key }) => ({ key, start: 0 }))];
    expect(named(entries, pinnedIndexes(entries, [null], { offset: 300, positions }))).toEqual([
      'before',
      'a',
      'DIA',
      'TLT',
      'between',
    ]);
  });
});

describe('the items of the keyboard', () => {
  const entries = entriesOf([
    group('a', active.slice(0, 2)),
    { ...group('b', []), none: 'Nothing.' },
    group('c', active.slice(2)),
  ]);

  it('are in the order of the groups', () => {
    expect(itemIds(entries)).toEqual([1, 2, 3, 4, 5, 6]);
  });
  it('are found among headings and other entries', () => {
    expect(named(entries, [indexOfItem(entries, 3)])).toEqual(['IWM']);
    expect(indexOfItem(entries, 99)).toBe(-1);
  });
});

describe('the item in view', () => {
  const HEIGHT = 70;
  const startOf = (index: number): number => index * HEIGHT;
  const before = entriesOf([group('a', active.slice(2))]);
  const after = entriesOf([group('a', active)]);
  /** Scrolled so that this entry and all that follow it are visible. */
  const viewportFrom = (index: number, offset: number) => ({
    offset,
    positions: before.slice(index).map(({ key }, position) => ({ key, start: startOf(index + position) })),
  });

  it('keeps its position when two came above it', () => {
    expect(anchoredOffset(viewportFrom(3, 215), after, startOf)).toBe(215 + 2 * HEIGHT);
  });
  it('passes its position to the next item when it is gone', () => {
    const left = entriesOf([
      group(
        'a',
        active.filter(({ alert: { transition } }) => transition.symbol !== 'DIA'),
      ),
    ]);
    expect(named(before, [3])).toEqual(['DIA']);
    expect(anchoredOffset(viewportFrom(3, 215), left, startOf)).toBe(215 + HEIGHT);
  });
  it('does not move at the top of the list, nor when nothing of it is left', () => {
    expect(anchoredOffset(null, after, startOf)).toBeNull();
    expect(anchoredOffset(viewportFrom(3, 215), entriesOf([group('b', active)]), startOf)).toBeNull();
  });
  it('is not a heading, which stays at the top whatever comes below it', () => {
    expect(anchoredOffset({ offset: 10, positions: [{ key: 'a', start: HEIGHT }] }, after, startOf)).toBeNull();
  });
});
