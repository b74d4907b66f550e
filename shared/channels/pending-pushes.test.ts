// Test: pushes to a slow window are merged without loss.

import { describe, expect, it } from 'vitest';
import { alert, connection, iso, row, T0, transition } from '../../test/fixtures/window-fixtures.ts';
import { plainMessage } from '../text/message.ts';
import { createPendingPushes } from './pending-pushes.ts';
import { type Change, MAX_ALERTS, type NumberedChanges } from './state.ts';

const CONNECTION = connection();
const STATE = 'state.changed';

/** A window that acknowledges pushes on command. */
function rig() {
  const sent: { name: string; payload: unknown }[] = [];
  const pushes = createPendingPushes((name, payload) => sent.push({ name, payload }));
  let number = 0;
  const change = (...changes: Change[]): void => {
    number += 1;
    pushes.push(STATE, { number, changes });
  };
  const say = (text: string): void =>
    change({ part: 'notifier', notifier: { tier: 'system', detail: plainMessage(text) } });
  const states = (): NumberedChanges[] =>
    sent.flatMap(({ name, payload }) => (name === STATE ? [payload as NumberedChanges] : []));
  /** Acknowledges the first push, so that the core knows that it does; then as many more are in flight. */
  const fallBehind = (): void => {
    say('first');
    pushes.got(1);
    for (let turn = 0; turn < 4; turn += 1) say('on the way');
  };
  const takeAll = (): void => pushes.got(sent.length);
  return { pushes, sent, change, say, states, fallBehind, takeAll };
}

describe('a window', () => {
  it('that never acknowledges gets every push at once', () => {
    const { say, states } = rig();
    for (let turn = 0; turn < 50; turn += 1) say('SPY');
    expect(states().map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  it('that acknowledges gets pushes one by one', () => {
    const { say, states, takeAll } = rig();
    for (let turn = 0; turn < 50; turn += 1) {
      say('SPY');
      takeAll();
    }
    expect(states()).toHaveLength(50);
    expect(states().every(({ from }) => from === undefined)).toBe(true);
  });

  it('that falls behind gets the complete state in one push', () => {
    const { change, say, states, fallBehind, takeAll } = rig();
    fallBehind();
    change({ part: 'rows', rows: [row('SPY', 2), row('QQQ', 1)] });
    change({ part: 'alerts', alerts: [alert(transition('SPY', 0, 2, T0), 1)] });
    change({ part: 'rows', rows: [row('SPY', 0)] }, { part: 'ledger', ledger: { events: 3 } });
    change({ part: 'alerts', alerts: [alert(transition('SPY', 0, 2, T0), 1, { acked_at: iso(T0) })] });
    say('last');
    expect(states()).toHaveLength(5);
    takeAll();
    expect(states()).toHaveLength(6);
    expect(states().at(-1)).toEqual({
      from: 6,
      number: 10,
      changes: [
        { part: 'rows', rows: [row('SPY', 0), row('QQQ', 1)] },
        { part: 'alerts', alerts: [alert(transition('SPY', 0, 2, T0), 1, { acked_at: iso(T0) })] },
        { part: 'ledger', ledger: { events: 3 } },
        { part: 'notifier', notifier: { tier: 'system', detail: plainMessage('last') } },
      ],
    });
    say('after');
    expect(states().at(-1)).toEqual({
      number: 11,
      changes: [{ part: 'notifier', notifier: { tier: 'system', detail: plainMessage('after') } }],
    });
  });

  it('that falls behind gets only the last of other pushes', () => {
    const { pushes, sent, fallBehind, takeAll } = rig();
    fallBehind();
    const before = sent.length;
    for (const payload of [1, 2, 3]) pushes.push('relay.changed', payload);
    takeAll();
    expect(sent.slice(before)).toEqual([{ name: 'relay.changed', payload: 3 }]);
  });

  it('learns of an outage, also where it ended before the window caught up', () => {
    const { change, states, fallBehind, takeAll } = rig();
    fallBehind();
    const offline = connection({ outage: { since: iso(T0), cause: plainMessage('The network is down.') } });
    for (const now of [CONNECTION, offline, CONNECTION]) change({ part: 'connection', connection: now });
    takeAll();
    const outages = states().flatMap(({ changes }) =>
      changes.flatMap((one) => (one.part === 'connection' ? [one.connection.outage] : [])),
    );
    expect(outages).toEqual([null, offline.outage, null]);
  });

  it('that missed more alerts than it keeps gets no list without those that matter: it takes the snapshot again', () => {
    const { change, say, states, fallBehind, takeAll } = rig();
    fallBehind();
    const has = states().at(-1)?.number ?? 0;
    change({ part: 'alerts', alerts: [alert(transition('OLD', 0, 2, T0 - 1000), 1, { acked_at: iso(T0) })] });
    for (let turn = 0; turn < 20; turn += 1)
      change({
        part: 'alerts',
        alerts: [alert(transition('SPY', 0, 2, T0 + turn), turn + 2, { needs_attention: true })],
      });
    for (let turn = 0; turn < 2000; turn += 1)
      change({ part: 'alerts', alerts: [alert(transition(`S${turn % 5}`, 0, 1, T0 + turn * 1000), turn + 22)] });
    say('after the flood');
    takeAll();
    expect(states()).toHaveLength(6);
    const last = states().at(-1);
    // A hole after the last number that the window has.
    expect(last?.from ?? last?.number).toBeGreaterThan(has + 1);
    expect(last?.number).toBe(has + 2022);
    const alerts = last?.changes.flatMap((part) => (part.part === 'alerts' ? part.alerts : []));
    expect(alerts?.length).toBeLessThanOrEqual(2 * MAX_ALERTS);
  });

  it('that missed as many alerts as it keeps gets each of them', () => {
    const { change, states, fallBehind, takeAll } = rig();
    fallBehind();
    for (let turn = 0; turn < 2 * MAX_ALERTS; turn += 1)
      change({ part: 'alerts', alerts: [alert(transition('SPY', 0, 1, T0 + turn), turn + 1)] });
    takeAll();
    const [part] = states().at(-1)?.changes ?? [];
    expect([states().at(-1)?.from, part?.part === 'alerts' && part.alerts.length]).toEqual([6, 2 * MAX_ALERTS]);
  });
});
