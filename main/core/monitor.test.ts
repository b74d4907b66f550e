import { describe, expect, test } from 'vitest';
import { message, plainMessage } from '../../shared/text/message.ts';
import type { EventEnvelope } from '../../shared/wire/events.ts';
import { encodeEvent } from '../../shared/wire/sse.ts';
import { connectionOf, namedIds, notificationIds, setUpCoreBench, shownIds } from '../../test/harness/core-bench.ts';
import { saying } from '../../test/harness/saying.ts';
import { openDatabase } from './ledger/database.ts';

const bench = setUpCoreBench();

describe('one transition', () => {
  test('reaches row, list and notification from the stream', async () => {
    const rig = await bench.up();
    bench.service.emit('QQQ', 1);
    await bench.clock.advance(10_000);
    const event = bench.service.emit('SPY', 2, { from: 1 });
    await bench.clock.advance(200);
    expect(rig.shown).toEqual([
      {
        id: `barograph:${event.event_id}`,
        title: '[SANDBOX] SPY is High Risk',
        body: expect.stringMatching(/^From Elevated at \d\d:\d\d New York\. 36 % chance of a fall/),
        urgency: 'normal',
        silent: true,
        symbol: 'SPY',
        answers: ['acknowledge', 'snooze'],
      },
    ]);
    const snapshot = rig.snapshot();
    expect(snapshot.alerts[0]).toMatchObject({
      transition: { event_id: event.event_id, symbol: 'SPY', to_state: 2 },
      sources: ['stream'],
      watched: true,
      dispatch: { outcome: 'shown', detail: plainMessage('taken') },
    });
    expect(snapshot.rows.find((row) => row.symbol === 'SPY')?.signal).toMatchObject({
      state: 2,
      since: event.timestamp,
    });
    expect(snapshot.ledger.events).toBe(2);
  });

  test('is notified in production without the sandbox label, with sound', async () => {
    bench.service.environment = 'production';
    bench.service.accepts = () => true;
    const rig = await bench.up({
      profile: { name: 'desk', environment: 'production' },
      key: 'svc_live_0123456789abcdef',
    });
    bench.service.emit('SPY', 2);
    await bench.clock.advance(200);
    expect(rig.shown[0]).toMatchObject({ title: 'SPY is High Risk', silent: false, urgency: 'critical' });
  });

  test('of an unwatched symbol, or into another state, is recorded and not notified', async () => {
    const rig = await bench.up();
    bench.service.emit('ZZZ', 2);
    bench.service.emit('SPY', 1);
    await bench.clock.advance(200);
    expect(rig.shown).toEqual([]);
    expect(rig.snapshot().ledger.events).toBe(2);
  });

  test('pushes are numbered without a hole', async () => {
    const rig = await bench.up();
    bench.service.emit('SPY', 1);
    await bench.clock.advance(5_000);
    expect(rig.pushes.map((push) => push.number)).toEqual(rig.pushes.map((_, index) => index + 1));
    expect(rig.snapshot().number).toBe(rig.pushes.length);
  });
});

describe('no event twice', () => {
  test('repeated and reordered deliveries are one event', async () => {
    const rig = await bench.up();
    const first = bench.service.emit('SPY', 2);
    const second = bench.service.emit('QQQ', 2);
    bench.service.write(encodeEvent(second) + encodeEvent(first) + encodeEvent(first));
    await bench.clock.advance(200);
    bench.service.write(encodeEvent(first));
    await bench.clock.advance(2_200);
    expect(namedIds(rig)).toEqual(notificationIds(first, second));
    expect(rig.snapshot().ledger.events).toBe(2);
  });
});

describe('no event missed', () => {
  test('a hole in the stream opens a gap, is filled from the log, and notified once', async () => {
    const rig = await bench.up();
    bench.service.emit('QQQ', 1);
    await bench.clock.advance(200);
    bench.service.deaf = true;
    const missed = bench.service.emit('SPY', 2);
    bench.service.deaf = false;
    const seen = bench.service.emit('IWM', 2);
    await bench.clock.advance(5_000);
    expect(namedIds(rig).sort()).toEqual(notificationIds(missed, seen).sort());
    const { gaps, alerts } = rig.snapshot();
    expect(gaps).toMatchObject([{ closed: true, cause: saying('The stream left something out after event 1.') }]);
    expect(alerts.find((alert) => alert.transition.event_id === missed.event_id)?.sources).toEqual(['backfill']);
    expect(alerts.find((alert) => alert.transition.event_id === seen.event_id)?.sources).toEqual([
      'stream',
      'backfill',
    ]);
  });

  test('a stream event before the first reading of the log has no hole before it', async () => {
    for (let seq = 0; seq < 150; seq += 1)
      bench.service.emit('QQQ', seq % 2 === 0 ? 1 : 0, { at: '2026-02-27T15:00:00.000Z' });
    let event: EventEnvelope | null = null;
    bench.service.fault = ({ path, url }) => {
      if (path !== '/events' || url.searchParams.get('after') === null || event !== null) return null;
      // Between its first page and its second.
      event = bench.service.emit('SPY', 2);
      return new Response('{}', { status: 503 });
    };
    const rig = await bench.up();
    await bench.clock.advance(5_000);
    expect(event).not.toBeNull();
    expect(rig.snapshot().ledger.events).toBe(151);
    expect(rig.snapshot().gaps).toEqual([]);
    expect(shownIds(rig)).toEqual(event === null ? [] : notificationIds(event));
  });

  test('events during downtime are notified at the next start, each once', async () => {
    const first = await bench.up();
    const before = bench.service.emit('SPY', 2);
    await bench.clock.advance(200);
    await bench.down(first);
    const missed = bench.service.emit('QQQ', 2);
    bench.service.emit('QQQ', 0);
    const alsoMissed = bench.service.emit('IWM', 2);
    const second = await bench.up();
    await bench.clock.advance(1_000);
    expect(shownIds(first)).toEqual(notificationIds(before));
    // They join the notification of the first, which names it again.
    expect(namedIds(second)).toEqual(notificationIds(before, missed, alsoMissed));
    expect(second.snapshot().gaps).toMatchObject([{ cause: message('connection.not_running'), closed: true }]);
    expect(
      bench.service.requests
        .filter((request) => request.path === '/stream')
        .at(-1)
        ?.headers.get('last-event-id'),
    ).toBe(before.event_id);
  });

  test('what was over before the first start is recorded and never notified', async () => {
    for (let index = 0; index < 250; index += 1)
      bench.service.emit('SPY', index % 2 === 0 ? 2 : 0, {
        at: new Date(bench.clock.now() - 1e6 + index * 1000).toISOString(),
      });
    const rig = await bench.up();
    await bench.clock.advance(1_000);
    expect(rig.shown).toEqual([]);
    expect(rig.snapshot().ledger.events).toBe(250);
    expect(rig.snapshot().alerts).toHaveLength(200);
  });

  test('an interrupted first reading continues as history, and later events are notified', async () => {
    for (let index = 0; index < 250; index += 1)
      bench.service.emit('SPY', index % 2 === 0 ? 2 : 0, {
        at: new Date(bench.clock.now() - 1e6 + index * 1000).toISOString(),
      });
    bench.service.fault = ({ path, url }) =>
      path === '/events' && url.searchParams.has('after') ? 'unreachable' : null;
    const first = bench.rig();
    await first.core.start();
    await bench.clock.until(() => first.snapshot().ledger.events === 100);
    await bench.down(first);
    bench.service.fault = null;
    await bench.clock.advance(3_600_000);
    const since = bench.service.emit('QQQ', 2);
    const second = await bench.up();
    await bench.clock.advance(1_000);
    expect(shownIds(second)).toEqual(notificationIds(since));
    expect(second.snapshot().ledger.events).toBe(251);
  });

  test('during the first reading of the log, a stream that reconnects does not notify old events', async () => {
    for (let index = 0; index < 250; index += 1)
      bench.service.emit('SPY', index % 2 === 0 ? 2 : 0, {
        at: new Date(bench.clock.now() - 1e6 + index * 1000).toISOString(),
      });
    const isSecondPage = ({ path, url }: { path: string; url: URL }): boolean =>
      path === '/events' && url.searchParams.has('after');
    bench.service.fault = (request) => (isSecondPage(request) ? 'unreachable' : null);
    const rig = await bench.up();
    expect(rig.snapshot().ledger.events).toBe(100);
    bench.service.cut();
    await bench.clock.until(() => bench.streamRequests() === 2);
    const since = bench.service.emit('QQQ', 2);
    await bench.clock.advance(200);
    expect(shownIds(rig)).toEqual(notificationIds(since));
    bench.service.fault = null;
    await bench.clock.until(() => rig.snapshot().ledger.events === 251);
    await bench.clock.advance(1_000);
    expect(shownIds(rig)).toEqual(notificationIds(since));
  });

  test('a notification that a crash left pending is shown again under the same id', async () => {
    let isDead = false;
    const first = await bench.up({
      show: () =>
        isDead ? new Promise(() => undefined) : Promise.resolve({ tier: 'system', detail: plainMessage('') }),
    });
    isDead = true;
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(200);
    expect(first.snapshot().alerts[0]?.dispatch?.outcome).toBe('intent');
    await bench.down(first);
    const second = await bench.up();
    expect(shownIds(second)).toEqual(notificationIds(event));
    expect(second.snapshot().alerts[0]?.dispatch?.outcome).toBe('shown');
    await bench.down(second);
    expect(shownIds(await bench.up())).toEqual([]);
  });

  test('a notification that neither desktop nor window accepted is shown after a restart', async () => {
    const first = await bench.up({ show: () => Promise.resolve({ tier: 'in_app', detail: plainMessage('no bus') }) });
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    expect(first.snapshot().alerts[0]?.dispatch?.outcome).toBe('failed');
    await bench.down(first);
    const second = await bench.up();
    expect(shownIds(second)).toEqual(notificationIds(event));
    expect(second.snapshot().alerts[0]?.dispatch?.outcome).toBe('shown');
  });

  test('a service that was replaced is read from its oldest event, and no event is notified twice', async () => {
    const rig = await bench.up();
    const before = bench.service.emit('SPY', 2);
    await bench.clock.advance(60_000);
    const at = before.timestamp;
    bench.service.fault = () => 'unreachable';
    bench.service.replaceLog();
    bench.service.emit('XLK', 1, { at: '2026-03-01T10:00:00.000Z', id: 'new_1' });
    bench.service.emit('SPY', 2, { at, id: 'new_2' });
    await bench.clock.advance(60_000);
    const after = bench.service.emit('QQQ', 2, { id: 'new_3' });
    bench.service.fault = null;
    await bench.clock.until(() => connectionOf(rig).outage === null);
    await bench.clock.advance(2_000);
    expect(namedIds(rig)).toEqual(notificationIds(before, after));
    expect(rig.snapshot().gaps.some((gap) => gap.closed)).toBe(true);
    const live = bench.service.emit('IWM', 2, { id: 'new_4' });
    await bench.clock.advance(300);
    expect(namedIds(rig)).toEqual(notificationIds(before, after, live));
  });

  test('a service that restarts its numbering under the same ids is followed', async () => {
    const rig = await bench.up();
    const emitted = Array.from({ length: 5 }, (_, index) => bench.service.emit('SPY', index % 2 === 0 ? 1 : 0));
    await bench.clock.advance(1_000);
    bench.service.cut();
    bench.service.log.length = 0;
    bench.service.log.push(...emitted.slice(3).map((event, index) => ({ ...event, seq: index + 1 })));
    const next = bench.service.emit('QQQ', 2);
    expect(next.seq).toBe(3);
    await bench.clock.advance(5_000);
    const live = bench.service.emit('IWM', 2);
    await bench.clock.advance(1_000);
    expect(namedIds(rig)).toEqual(notificationIds(next, live));
    expect(rig.snapshot().ledger.events).toBe(7);
  });

  test('where the service lists no events, the newest transitions are read and completeness is not claimed', async () => {
    bench.service.fault = ({ path }) =>
      path === '/events' ? Response.json({ code: 'not_found', message: 'no' }, { status: 404 }) : null;
    const rig = await bench.up();
    const live = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    bench.service.deaf = true;
    bench.service.cut();
    const missed = bench.service.emit('QQQ', 2);
    await bench.clock.advance(10_000);
    expect(namedIds(rig)).toEqual(notificationIds(live, missed));
    expect(connectionOf(rig).provable).toBe(false);
  });
});

describe('a disk', () => {
  test('that is full: events are notified from memory, the desktop and windows say so, and all is written when there is room', async () => {
    let pages: (limit: number) => void = () => undefined;
    const rig = await bench.up({
      ledger: {
        open(folder, stamp) {
          const opened = openDatabase(folder, stamp);
          if (folder !== ':memory:') pages = (limit) => void opened.db.pragma(`max_page_count = ${limit}`);
          return opened;
        },
      },
    });
    const before = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    pages(1);
    const events = Array.from({ length: 200 }, (_, index) =>
      bench.service.emit(index % 2 === 0 ? 'QQQ' : 'IWM', index % 4 < 2 ? 2 : 0),
    );
    await bench.clock.advance(60_000);
    const alerts = notificationIds(before, ...events.filter((event) => event.event === 'signal.high_risk'));
    const [alarm = ''] = namedIds(rig).filter((id) => id === 'barograph:ledger');
    expect(new Set(namedIds(rig))).toEqual(new Set([...alerts, alarm]));
    expect(rig.shown.find(({ id }) => id === alarm)?.title).toMatch(/Alerts are not written down/);
    expect(connectionOf(rig).outage).toBeNull();
    expect(rig.snapshot().ledger).toMatchObject({
      events: 201,
      unwritten: { cause: saying(/The ledger cannot be written/) },
    });
    expect(rig.core.trayView().isUnwritten).toBe(true);
    expect(rig.snapshot().gaps).toMatchObject([{ closed: false, cause: saying(/kept in memory/) }]);
    pages(1_000_000);
    await bench.clock.until(() => rig.snapshot().ledger.unwritten === undefined);
    await bench.clock.advance(60_000);
    expect(rig.snapshot().ledger.events).toBe(201);
    expect(rig.snapshot().gaps).toMatchObject([{ closed: true, cause: saying(/kept in memory/) }]);
    expect(new Set(namedIds(rig))).toEqual(new Set([...alerts, alarm]));
    expect(rig.shown.at(-1)?.title).toMatch(/Alerts are written down again/);
    // Recorded as shown: nothing is shown again after a restart.
    await bench.down(rig);
    const again = await bench.up();
    await bench.clock.advance(60_000);
    expect(namedIds(again)).toEqual([]);
    expect(again.snapshot().ledger.events).toBe(201);
  });

  test('that has room only when the core ends: the next start ends the alarm', async () => {
    let pages: (limit: number) => void = () => undefined;
    const rig = await bench.up({
      ledger: {
        open(folder, stamp) {
          const opened = openDatabase(folder, stamp);
          if (folder !== ':memory:') pages = (limit) => void opened.db.pragma(`max_page_count = ${limit}`);
          return opened;
        },
      },
    });
    pages(1);
    for (let index = 0; index < 200; index += 1) bench.service.emit('QQQ', index % 2 === 0 ? 2 : 0);
    await bench.clock.until(() => rig.shown.some(({ id }) => id === 'barograph:ledger'));
    pages(1_000_000);
    await bench.down(rig);
    const again = await bench.up();
    await bench.clock.advance(1_000);
    expect(again.shown).toMatchObject([
      { id: 'barograph:ledger', title: '[SANDBOX] Alerts are written down again', urgency: 'normal' },
    ]);
    await bench.down(again);
    const third = await bench.up();
    await bench.clock.advance(1_000);
    expect(third.shown).toEqual([]);
  });
});
