// Test: grouping transitions into episodes.
import { array, assert, constantFrom, nat, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InboxRow } from '../../../shared/channels/alerting.ts';
import type { Episode } from '../../../shared/channels/queries.ts';
import type { State } from '../../../shared/domain/states.ts';
import { alert, iso, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { type Entry, episodesOf, incompleteIn, transitionEntry } from './episodes.ts';

const MINUTE = 60_000;
let id = 0;
const row = (symbol: string, from: State, to: State, minute: number): InboxRow => {
  id += 1;
  return { alert: alert(transition(symbol, from, to, T0 + minute * MINUTE, `e${id}`), id), ended: null, changes: 1 };
};
const newestFirst = (...rows: InboxRow[]): InboxRow[] => rows.reverse();
const minutes = (ms: number | null): number | null => (ms === null ? null : (ms - T0) / MINUTE);
const spans = (entry: Entry | undefined) =>
  entry?.segments.map(({ state, from, to }) => [state, minutes(from), minutes(to)]);

describe('episodes', () => {
  it('go from leaving Normal to returning, with their history', () => {
    const [one, ...others] = episodesOf(
      newestFirst(row('SPY', 0, 1, 0), row('SPY', 1, 2, 3), row('SPY', 2, 1, 5), row('SPY', 1, 0, 9)),
    );
    expect(others).toEqual([]);
    expect(one).toMatchObject({ peak: 2, from: T0, to: T0 + 9 * MINUTE });
    expect(spans(one)).toEqual([
      [1, 0, 3],
      [2, 3, 5],
      [1, 5, 9],
    ]);
    expect(one?.subject.alert.transition.to_state).toBe(2);
  });
  it('that are open are represented by their peak, have the state now beside it, and last until now', () => {
    const [one] = episodesOf(newestFirst(row('SPY', 0, 2, 0), row('SPY', 2, 1, 4)));
    expect(one).toMatchObject({ peak: 2, present: 1, to: null, subject: { alert: { transition: { to_state: 2 } } } });
    expect(one?.segments.at(-1)).toMatchObject({ state: 1, to: null });
  });
  it('whose beginning is not listed say so', () => {
    const [one] = episodesOf(newestFirst(row('SPY', 1, 2, 0), row('SPY', 2, 0, 4)));
    expect(one).toMatchObject({ from: null, peak: 2, to: T0 + 4 * MINUTE });
  });
  it('begin when the service says, not with the first row that was read', () => {
    const rows = newestFirst(row('SPY', 1, 2, 0), row('SPY', 2, 1, 4), row('QQQ', 1, 0, 5));
    expect(incompleteIn(episodesOf(rows))).toEqual({ open: [{ symbol: 'SPY', at: iso(T0) }] });
    // Each at its own instant: QQQ may have left Normal after SPY had, while nobody watched it.
    expect(incompleteIn(episodesOf(newestFirst(row('SPY', 1, 2, 0), row('QQQ', 1, 2, 9))))).toEqual({
      open: [
        { symbol: 'QQQ', at: iso(T0 + 9 * MINUTE) },
        { symbol: 'SPY', at: iso(T0) },
      ],
    });
    const id = rows.at(-1)?.alert.transition.event_id ?? '';
    const known = { symbol: 'SPY', peak_state: 2, started_at: iso(T0 - 90 * MINUTE), ended_at: null } as const;
    const of = (...episodes: Episode[]) => episodesOf(rows, episodes)[0];
    expect(of({ ...known, transitions: [id] })).toMatchObject({ from: T0 - 90 * MINUTE, to: null, present: 1 });
    // The segment before the first row has no state, and is not left out.
    expect(spans(of({ ...known, transitions: [id] }))).toEqual([
      [null, -90, 0],
      [2, 0, 4],
      [1, 4, null],
    ]);
    // An episode from before the service's log has no events.
    expect(of({ ...known, transitions: [], before_log: true })).toMatchObject({
      from: T0 - 90 * MINUTE,
      isBeforeLog: true,
    });
    expect(of({ ...known, symbol: 'QQQ', transitions: [id] })?.from).toBeNull();
    expect(of({ ...known, ended_at: iso(T0 - MINUTE), transitions: [] })?.from).toBeNull();
    expect(incompleteIn(episodesOf(rows, [{ ...known, transitions: [id] }]))).toBeNull();
  });
  it('last as long as the service says, however far the rows are read', async () => {
    const steps = array(record({ symbol: constantFrom('SPY', 'QQQ'), to: constantFrom<State>(0, 1, 2) }), {
      minLength: 1,
      maxLength: 60,
      size: 'max',
    });
    await assert(
      property(steps, nat(60), nat(60), nat(60), (walk, log, page, watched) => {
        // The service has the whole walk; its log, and so the ledger, begins within it, and a page within that.
        // What was out of Normal when its symbol began to be watched has no earlier row.
        const states = new Map<string, State>();
        const whole = walk.flatMap(({ symbol, to }, minute) => {
          const from = states.get(symbol) ?? 0;
          states.set(symbol, to);
          return from === to ? [] : [row(symbol, from, to, minute)];
        });
        const start = log % (whole.length + 1);
        const paged = start + (page % (whole.length - start + 1));
        const begun = paged + (watched % (whole.length - paged + 1));
        const read = whole
          .filter(({ alert }, index) => index >= (alert.transition.symbol === 'SPY' ? begun : paged))
          .toReversed();
        const truth = episodesOf(whole.toReversed());
        const asked = incompleteIn(episodesOf(read));
        const wasAsked = ({ subject, from, to }: Entry): boolean =>
          asked?.open.some(
            ({ symbol, at }) =>
              symbol === subject.alert.transition.symbol &&
              (from as number) <= Date.parse(at) &&
              (to === null || to >= Date.parse(at)),
          ) === true;
        const known = truth.filter(wasAsked).map(({ subject, peak, from, to, rows }) => ({
          symbol: subject.alert.transition.symbol,
          peak_state: peak,
          started_at: iso(from as number),
          ended_at: to === null ? null : iso(to),
          transitions: rows.flatMap((one) => (whole.indexOf(one) < start ? [] : one.alert.transition.event_id)),
        }));
        const lengths = (entries: readonly Entry[]) =>
          new Map(entries.map(({ rows, from, to }) => [rows.at(-1)?.alert.ledger_id, [from, to]]));
        const expected = lengths(truth);
        for (const [last, length] of lengths(episodesOf(read, known))) expect(length).toEqual(expected.get(last));
      }),
    );
  });
  it('that were riskier before the ledger began have the peak of the service, without the confidence of another', () => {
    const rows = newestFirst(row('SPY', 2, 1, 0));
    const known: Episode = {
      symbol: 'SPY',
      peak_state: 2,
      started_at: iso(T0 - MINUTE),
      ended_at: null,
      transitions: [],
    };
    expect(episodesOf(rows)[0]).toMatchObject({ peak: 1, from: null });
    expect(episodesOf(rows, [known])[0]).toMatchObject({ peak: 2, isPeakOlder: true, present: 1, from: T0 - MINUTE });
  });
  it('whose return was never received end when the service says', () => {
    const rows = newestFirst(row('SPY', 0, 2, 0), row('SPY', 0, 1, 7));
    const id = rows.at(-1)?.alert.transition.event_id ?? '';
    const known = { symbol: 'SPY', peak_state: 2, started_at: iso(T0), ended_at: iso(T0 + 3 * MINUTE) } as const;
    const found = episodesOf(rows, [{ ...known, transitions: [id] }]);
    expect(found.map(({ from, to }) => [minutes(from), minutes(to)])).toEqual([
      [7, null],
      [0, 3],
    ]);
    expect(spans(found[1])).toEqual([[2, 0, 3]]);
  });
  it('end where the next begins, when the return was never received', () => {
    const found = episodesOf(newestFirst(row('SPY', 0, 2, 0), row('SPY', 0, 1, 7)));
    expect(found.map(({ peak, from, to }) => [peak, minutes(from), minutes(to)])).toEqual([
      [1, 7, null],
      [2, 0, 7],
    ]);
  });
  it('of several symbols are listed newest first; a return to Normal alone is none', () => {
    const found = episodesOf(
      newestFirst(row('QQQ', 1, 0, 0), row('SPY', 0, 1, 1), row('IWM', 0, 2, 2), row('SPY', 1, 2, 3)),
    );
    expect(found.map(({ subject }) => subject.alert.transition.symbol)).toEqual(['SPY', 'IWM']);
  });
});

it('a single transition lasts until the next', () => {
  const one = { ...row('SPY', 1, 2, 0), ended: { at: iso(T0 + MINUTE), to_state: 0 as const } };
  expect(transitionEntry(one)).toMatchObject({ peak: 2, from: T0, to: T0 + MINUTE, rows: [one] });
});
