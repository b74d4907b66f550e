// Renderer, test: the texts of the section Connection: stream, compatibility, quota, gaps, and the report.
import { describe, expect, test } from 'vitest';
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { connection, iso, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { reduce } from '../../store/reduce.ts';
import { EMPTY_STATE } from '../../store/state.ts';
import { compatibilityLines, costs, gapText, meters, monthEnd, quotaWarnings, streamLines } from './lines.ts';
import { connectionReport } from './report.ts';

const HOUR = 3_600_000;
const quota: ConnectionDetails['quota'] = {
  month: { limit: 1_000_000, used: 412_660, left_ms: 240 * HOUR },
  burst: { limit: 50, used: 3 },
  minute: { limit: 5_000, used: 118 },
  overage: 0,
  capped_until: null,
  counted: true,
  slowed: 1,
};
const details = (more: Partial<ConnectionDetails> = {}): ConnectionDetails => ({
  stream: {
    url: 'https://risk.example/stream',
    phase: 'open',
    events: ['signal.high_risk', 'regime.flip'],
    open_since: iso(T0 - HOUR),
    last_byte_at: iso(T0 - 400),
    heartbeat: 15_000,
    limit: 37_500,
    beats: [{ at: iso(T0 - 5_000), gap: 15_000 }],
    breaks: [
      { at: iso(T0 - HOUR), cause: message('connection.slept'), back_after: 800 },
      { at: iso(T0 - 2 * HOUR), cause: message('connection.closed'), back_after: null },
    ],
    cursor: { event_id: 'evt_1', seq: 48_213 },
    contiguous_to: iso(T0 - 1_000),
  },
  skew: { ms: 120, within: 40 },
  network_path: { proxy: message('proxy.none'), certificate: plainMessage('issued by Example CA') },
  compatibility: {
    factors: 'map_and_rows',
    reset: 'epoch_seconds',
    lower_codes: ['/history'],
    upper_codes: ['/api/validation/metrics'],
    list_key: 'data',
    cursor_key: 'next_cursor',
    service: 'Risk 3.1',
    interface: 'v1',
  },
  quota,
  calls: [
    { cause: 'signals', made: 20, per_hour: 120 },
    { cause: 'factors', made: 10, per_hour: 60 },
  ],
  counted_for: { ms: 600_000, enough: true },
  polling: { events: 20_000, signals: 30_000 },
  ...more,
});
const stream = (
  more: Partial<ConnectionDetails> = {},
  clock = { offset: 0, speed: 1 },
  provable = true,
): Record<string, string> =>
  Object.fromEntries(
    streamLines({ details: details(more), gaps: [], clock, provable, zone: 'utc', now: T0 }).map(({ name, text }) => [
      name,
      text,
    ]),
  );

describe('the stream', () => {
  test('of a service that cannot prove completeness is not called contiguous', () => {
    expect(stream({}, undefined, false).Cursor).toBe('read up to 19:37:07, event 48,213 of the log');
  });

  test('breaks with cause and length, the cursor with its time', () => {
    expect(stream()).toMatchObject({
      Cursor: 'contiguous up to 19:37:07, event 48,213 of the log',
      'Reconnects, 24 h':
        '18:37: This computer slept. Back in 800\u00a0ms.\n17:37: The service closed the stream. Not back yet.',
      Clock: 'this computer is 120\u00a0ms ahead of the service (within 40\u00a0ms)',
    });
    const many = Array.from({ length: 9 }, (_, index) => ({
      at: iso(T0 - index),
      cause: plainMessage('x'),
      back_after: 1,
    }));
    expect(stream({ stream: { ...details().stream, breaks: many } })['Reconnects, 24 h']).toMatch(/and 6 more$/);
  });
  test('clocks agree within the measurement error; a market with a clock of its own is distinguished', () => {
    expect(stream({ skew: { ms: 30, within: 200 } }).Clock).toBe(
      'this computer and the service agree (within 200\u00a0ms)',
    );
    expect(stream({ skew: null }).Clock).toBe('not measured yet');
    expect(stream({ skew: null }, { offset: 0, speed: 60 }).Clock).toContain('its market runs 60 times as fast');
    expect(stream({ skew: null }, { offset: -26 * HOUR, speed: 1 }).Clock).toContain(
      'its market runs 1\u00a0d\u00a02\u00a0h behind',
    );
    expect(stream({ skew: null }, { offset: 0, speed: 0 }).Clock).toContain('is paused');
  });
});

test('the compatibility: nothing unobserved is assumed', () => {
  const said = (compatibility: ConnectionDetails['compatibility'], form: string | null) =>
    compatibilityLines(compatibility, form, null).map(({ text }) => text);
  expect(said(details().compatibility, 'v1=hex')).toEqual([
    'map of powers, plus rows',
    'v1= and hex',
    'epoch seconds',
    'lower case; upper case on /api/validation/metrics',
    'data, next_cursor',
    'Risk 3.1 · interface v1',
  ]);
  const nothing = {
    factors: null,
    reset: null,
    lower_codes: [],
    upper_codes: [],
    list_key: null,
    cursor_key: null,
    service: null,
    interface: null,
  };
  expect(said(nothing, null)).toEqual(Array.from({ length: 6 }, () => 'not received yet'));
});

describe('the quota', () => {
  test('as a forecast at the current rate', () => {
    expect(monthEnd(quota.month ?? { used: 0, limit: 0, left_ms: 0 }, 180)).toBe(455_860);
    expect(meters(details()).map(({ name, text }) => [name, text])).toEqual([
      ['This month', '412,660 of 1,000,000'],
      ['Month-end, at this pace', '455,860'],
      ['Remaining per day', '58,734'],
      ['Burst', '3 of 50'],
      ['Sustained, per minute', '118 of 5,000'],
    ]);
    expect(meters(details({ quota: { ...quota, counted: false } })).map(({ name }) => name)).toEqual([
      'Burst',
      'Sustained, per minute',
    ]);
  });
  test('gives no hourly rate right after the start', () => {
    expect(costs(details())).toMatchObject({
      heading: 'Usage, calls per hour now',
      lines: [
        { name: 'Signals, safety poll', text: '120', part: 1 },
        { name: 'Factors of open alerts', text: '60', part: 0.5 },
      ],
    });
    const early = details({
      counted_for: { ms: 180_000, enough: false },
      calls: [{ cause: 'signals', made: 1_600, per_hour: 32_000 }],
    });
    expect(costs(early)).toMatchObject({
      heading: expect.stringMatching(/^Usage, calls since the start, 3/),
      lines: [{ name: 'Signals, safety poll', text: '1,600', part: 1 }],
    });
    expect(meters(early)).toContainEqual(
      expect.objectContaining({ name: 'Month-end, at this pace', text: 'after ten minutes', part: 0 }),
    );
    expect(quotaWarnings(early, 'utc', T0)).toEqual([]);
  });
  test('warns of what will happen and of what has, with the consequence', () => {
    expect(quotaWarnings(details(), 'utc', T0)).toEqual([]);
    const fast = [{ cause: 'signals', made: 1_600, per_hour: 10_000 }] as const;
    expect(quotaWarnings(details({ calls: [...fast] }), 'utc', T0)).toEqual([
      'At this pace the month ends 1,812,660 calls over the plan.',
    ]);
    const over = { ...quota, overage: 12, capped_until: iso(T0 + HOUR), slowed: 4 };
    expect(quotaWarnings(details({ quota: over, polling: { events: 1, signals: 120_000 } }), 'utc', T0)).toEqual([
      'The hard cap is reached. Calls are accepted again from 20:37.',
      '12 calls over the plan this month; they are billed.',
      'Signals are polled every 2\u00a0min so that the quota lasts the month. Events still arrive at once.',
    ]);
  });
});

test('gaps: open, being filled, lost, filled', () => {
  const gap = {
    id: 1,
    from: iso(T0),
    to: iso(T0 + HOUR),
    cause: plainMessage('Down.'),
    closed: false,
    filled: 0,
    lost: false,
  };
  expect([{ ...gap, to: null }, gap, { ...gap, lost: true }, { ...gap, closed: true, filled: 1 }].map(gapText)).toEqual(
    ['open, filled after reconnecting', 'open, being filled', 'open: the service has no record', 'filled, 1 event'],
  );
});

test('the report covers everything, also before the first read and while offline', () => {
  const offline = connection({ outage: { since: iso(T0 - HOUR), cause: plainMessage('No route to host.') } });
  const opened = reduce(EMPTY_STATE, { kind: 'snapshot', snapshot: snapshot({ connection: offline }), at: T0 });
  if (opened.snapshot === null) throw new Error('no snapshot');
  const input = {
    snapshot: opened.snapshot,
    selfTest: null,
    key: null,
    form: 'hex',
    model: 'm1',
    zone: 'utc',
    now: T0,
  } as const;
  const whole = connectionReport({ ...input, details: details() });
  for (const text of [
    'SANDBOX',
    'Not receiving data since 18:37. No route to host.',
    'evt_1',
    'hex, no prefix',
    '412,660 of 1,000,000',
    'after 15\u00a0s',
    'No gap',
  ])
    expect(whole).toContain(text);
  expect(connectionReport({ ...input, details: null })).toContain('## Gaps');
});
