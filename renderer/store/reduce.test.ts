// Test: the reducer: snapshot, alerts, announcements, counters and link.

import { describe, expect, it } from 'vitest';
import { type Alert, type Change, MAX_ALERTS } from '../../shared/channels/state.ts';
import { message, plainMessage } from '../../shared/text/message.ts';
import { alert, connection, iso, row, snapshot, T0, transition } from '../../test/fixtures/window-fixtures.ts';
import { mergeAlerts, reduce } from './reduce.ts';
import { type AppState, EMPTY_STATE } from './state.ts';

const opened = (more = {}): AppState => reduce(EMPTY_STATE, { kind: 'snapshot', snapshot: snapshot(more), at: T0 });

const changed = (state: AppState, ...changes: Change[]): AppState =>
  changes.reduce((now, change) => reduce(now, { kind: 'changes', changes: [change], at: T0 }), state);

describe('snapshot and changes', () => {
  it('holds the rows by symbol and merges changes', () => {
    const state = reduce(opened(), { kind: 'changes', changes: [{ part: 'rows', rows: [row('SPY', 2)] }], at: T0 });
    expect([state.snapshot?.rows.SPY?.signal?.state, state.snapshot?.rows.QQQ?.signal?.state]).toEqual([2, 1]);
  });
  it('drops changes that come before any snapshot', () => {
    expect(reduce(EMPTY_STATE, { kind: 'changes', changes: [{ part: 'ledger', ledger: { events: 2 } }], at: T0 })).toBe(
      EMPTY_STATE,
    );
  });
  it('begins with the last chosen symbol, and then keeps its own', () => {
    const first = opened({ selected: 'QQQ' });
    const own = reduce(first, { kind: 'selected', symbol: 'SPY' });
    const after = [{ kind: 'snapshot', snapshot: snapshot({ number: 9, selected: 'GLD' }), at: T0 }] as const;
    expect([first, own].map(({ snapshot }) => snapshot?.selected)).toEqual(['QQQ', 'SPY']);
    for (const state of [first, own])
      expect(after.reduce(reduce, state).snapshot?.selected).toBe(state.snapshot?.selected);
    expect(reduce(EMPTY_STATE, { kind: 'selected', symbol: 'SPY' })).toBe(EMPTY_STATE);
  });
  it('drops rows that a new snapshot does not hold', () => {
    const state = reduce(opened(), { kind: 'snapshot', snapshot: snapshot({ rows: [row('QQQ', 0)] }), at: T0 });
    expect(Object.keys(state.snapshot?.rows ?? {})).toEqual(['QQQ']);
  });
  it('anchors the world clock at the arrival of the connection', () => {
    const state = reduce(opened(), {
      kind: 'changes',
      changes: [{ part: 'connection', connection: connection({ clock: { offset: 5, speed: 60 } }) }],
      at: T0 + 9000,
    });
    expect(state.snapshot?.anchoredAt).toBe(T0 + 9000);
  });
});

describe('alerts', () => {
  it('are held once, newest occurrence first, with the last changes', () => {
    const early = alert(transition('SPY', 0, 1, T0 - 2000), 9);
    const late = alert(transition('SPY', 1, 2, T0 - 1000), 3);
    const dispatched = {
      ...late,
      dispatch: { notification_id: 'n', outcome: 'shown' as const, at: iso(T0), detail: null },
    };
    expect(mergeAlerts([early], [late, dispatched])).toEqual([dispatched, early]);
  });
  it('pushed again keep their transition object, unless it changed', () => {
    const [first, again, other] = [1, 1, 2].map((to) => alert(transition('SPY', 0, to as 1 | 2, T0), 9));
    if (first === undefined || again === undefined || other === undefined) throw new Error('there are three');
    const corrected = { ...other, transition: { ...other.transition, event_id: first.transition.event_id } };
    const [notified] = mergeAlerts(
      [first],
      [{ ...again, notification_status: 'notified', reason: message('muted.snoozed') }],
    );
    expect(notified).toEqual({ ...first, notification_status: 'notified', reason: message('muted.snoozed') });
    expect(notified?.transition).toBe(first.transition);
    expect(mergeAlerts([first], [corrected])[0]?.transition).toBe(corrected.transition);
  });
  it('of one instant are in ledger order, the last one first', () => {
    const simultaneous = [4, 9, 1].map((ledgerId) => alert(transition(`S${ledgerId}`, 0, 1, T0), ledgerId));
    expect(mergeAlerts([], simultaneous).map((one) => one.ledger_id)).toEqual([9, 4, 1]);
  });
  it('are capped', () => {
    const many = Array.from({ length: MAX_ALERTS + 5 }, (_, index) =>
      alert(transition('SPY', 0, 1, T0 + index * 1000), index + 1),
    );
    const merged = mergeAlerts([], many);
    expect([merged.length, merged[0]?.ledger_id]).toEqual([MAX_ALERTS, MAX_ALERTS + 5]);
  });
  it('keeps alerts that are active or need attention, however old, and drops those that are over', () => {
    const many = Array.from({ length: MAX_ALERTS + 5 }, (_, index) =>
      alert(transition('SPY', 0, 1, T0 + index * 1000), index + 10),
    );
    const old = [
      alert(transition('QQQ', 0, 2, T0 - 3000), 1),
      alert(transition('IWM', 0, 2, T0 - 2000), 2, { needs_attention: false }),
      alert(transition('IWM', 2, 0, T0 - 1000), 3),
      alert(transition('XLK', 0, 2, T0 - 5000), 4),
      alert(transition('XLK', 2, 0, T0 - 4000), 5),
    ];
    const merged = mergeAlerts(old, many);
    expect(merged.slice(MAX_ALERTS).map(({ transition: { symbol } }) => symbol)).toEqual(['QQQ', 'XLK']);
  });
});

describe('announcements', () => {
  const high = alert(transition('SPY', 1, 2, T0), 7);
  const changes = [{ part: 'alerts' as const, alerts: [high] }];
  it('include High Risk of a watched symbol once, however often it is pushed', () => {
    const once = reduce(opened(), { kind: 'changes', changes, at: T0 });
    const twice = reduce(once, { kind: 'changes', changes, at: T0 });
    expect(twice.announcements.map((each) => each.id)).toEqual([high.transition.event_id]);
    expect(reduce(twice, { kind: 'spoken', ids: [high.transition.event_id] }).announcements).toEqual([]);
  });
  it('include nothing of the first snapshot, but new alerts of a later one', () => {
    const first = opened({ alerts: [high] });
    expect(first.announcements).toEqual([]);
    const missed = alert(transition('QQQ', 1, 2, T0 + 5), 8);
    const again = reduce(first, { kind: 'snapshot', snapshot: snapshot({ alerts: [missed, high] }), at: T0 });
    expect(again.announcements.map((each) => each.id)).toEqual([missed.transition.event_id]);
  });
  it('include neither Elevated nor unwatched symbols', () => {
    const state = reduce(opened(), {
      kind: 'changes',
      changes: [{ part: 'alerts', alerts: [alert(transition('SPY', 0, 1, T0), 7), { ...high, watched: false }] }],
      at: T0,
    });
    expect(state.announcements).toEqual([]);
  });
  it('include no alert that is too old for the window, whatever is pushed of it', () => {
    const many = Array.from({ length: MAX_ALERTS }, (_, index) =>
      alert(transition('SPY', 0, 1, T0 + (index + 1) * 1000), index + 10),
    );
    const noted = { ...high, needs_attention: false };
    const state = reduce(opened({ alerts: many }), {
      kind: 'changes',
      changes: [{ part: 'alerts', alerts: [noted] }],
      at: T0,
    });
    expect([state.announcements, state.snapshot?.alerts.length]).toEqual([[], MAX_ALERTS]);
  });
  it('include an outage once', () => {
    const outage = {
      part: 'connection' as const,
      connection: connection({ outage: { since: iso(T0), cause: plainMessage('Gone.') } }),
    };
    const state = reduce(opened(), { kind: 'changes', changes: [outage, outage], at: T0 });
    expect(state.announcements.map((each) => each.kind)).toEqual(['outage']);
  });
  it('that wait go when their alert is over or acknowledged; the first one is being spoken', () => {
    const [spoken, over, acknowledged, active] = ['SPY', 'QQQ', 'IWM', 'TLT'].map((symbol, index) =>
      alert(transition(symbol, 1, 2, T0), index + 1),
    ) as [Alert, Alert, Alert, Alert];
    const state = changed(
      opened(),
      { part: 'alerts', alerts: [spoken, over, acknowledged, active] },
      { part: 'alerts', alerts: [alert(transition('QQQ', 2, 0, T0 + 1), 5)] },
      {
        part: 'alerts',
        alerts: [
          { ...spoken, acked_at: iso(T0 + 2) },
          { ...acknowledged, acked_at: iso(T0 + 2) },
        ],
      },
    );
    expect(state.announcements.map((each) => each.id)).toEqual(
      [spoken, active].map(({ transition: { event_id: id } }) => id),
    );
  });
  const lost = (since: number): Change => ({
    part: 'connection',
    connection: connection({ outage: { since: iso(since), cause: plainMessage('Gone.') } }),
  });
  const back: Change = { part: 'connection', connection: connection() };
  const kindsOf = ({ announcements }: AppState) => announcements.map(({ kind }) => kind);
  it('include the end of an outage', () => {
    expect(kindsOf(changed(opened(), lost(T0), back))).toEqual(['outage', 'online']);
  });
  it('include no outage that ended while it waited, but its end: an earlier one may have been spoken', () => {
    expect(kindsOf(changed(opened(), ...changes, lost(T0), back))).toEqual(['high_risk', 'online']);
  });
  it('include no end before the next outage, once that has begun', () => {
    const state = changed(opened(), lost(T0), back, lost(T0 + 60_000));
    expect(kindsOf(state)).toEqual(['outage', 'outage']);
  });
  it('include the return of the core', () => {
    const gone = reduce(opened(), { kind: 'link', up: false, at: T0 });
    const again = { kind: 'snapshot', snapshot: snapshot(), at: T0 } as const;
    expect(kindsOf(reduce(gone, again))).toEqual(['online']);
    expect(kindsOf(reduce(opened(), again))).toEqual([]);
  });
});

describe('epoch', () => {
  it('grows when the connection returns, so that charts are read again', () => {
    const offline = connection({ outage: { since: iso(T0), cause: plainMessage('Gone.') } });
    const gone = reduce(opened(), { kind: 'changes', changes: [{ part: 'connection', connection: offline }], at: T0 });
    const back = reduce(gone, { kind: 'changes', changes: [{ part: 'connection', connection: connection() }], at: T0 });
    expect([gone.snapshot?.epoch, back.snapshot?.epoch]).toEqual([1, 2]);
  });
});

describe('the count of reconnects', () => {
  const { indicators } = connection();
  const receive = (state: AppState, more: Parameters<typeof connection>[0]): AppState =>
    reduce(state, { kind: 'changes', changes: [{ part: 'connection', connection: connection(more) }], at: T0 });
  const countsOf = (...states: AppState[]) => states.map(({ snapshot }) => snapshot?.reconnects);

  it('grows with a new snapshot, and when the connection returns', () => {
    const first = opened();
    const again = reduce(first, { kind: 'snapshot', snapshot: snapshot(), at: T0 });
    const offline = receive(again, { outage: { since: iso(T0), cause: plainMessage('Gone.') } });
    expect(countsOf(first, again, offline, receive(offline, {}))).toEqual([1, 2, 2, 3]);
  });
  it('grows when the service is reachable again without a lost connection, and the charts stay', () => {
    const out = receive(opened(), {
      indicators: { ...indicators, verified: { ...indicators.verified, state: 'down' } },
    });
    const back = receive(out, {});
    expect(countsOf(out, back, receive(back, {}))).toEqual([1, 2, 2]);
    expect(back.snapshot?.epoch).toBe(1);
  });
  it('does not grow because signals are fresh again', () => {
    const stale = receive(opened(), {
      indicators: { ...indicators, fresh: { ...indicators.fresh, state: 'degraded' } },
    });
    expect(countsOf(stale, receive(stale, {}))).toEqual([1, 1]);
  });
});

describe('link', () => {
  it('is waiting before the first state and down after it', () => {
    expect(reduce(EMPTY_STATE, { kind: 'link', up: false, at: T0 }).link).toBe('waiting');
    const down = reduce(opened(), { kind: 'link', up: false, at: T0 + 5 });
    expect([down.link, down.linkSince]).toEqual(['down', T0 + 5]);
    expect(reduce(down, { kind: 'link', up: false, at: T0 + 99 }).linkSince).toBe(T0 + 5);
  });
  it('is up again with the state, not before it', () => {
    expect(reduce(EMPTY_STATE, { kind: 'link', up: true, at: T0 }).link).toBe('up');
    const down = reduce(opened(), { kind: 'link', up: false, at: T0 + 5 });
    const back = reduce(down, { kind: 'link', up: true, at: T0 + 7 });
    expect([back.link, back.linkSince]).toEqual(['down', T0 + 5]);
    const shown = reduce(back, { kind: 'snapshot', snapshot: snapshot(), at: T0 + 9 });
    expect([shown.link, shown.linkSince]).toEqual(['up', T0 + 9]);
  });
});
