// Test: the trace of one event, to the desktop and to channels, and the inbox that shows it.

import { describe, expect, test, vi } from 'vitest';
import type { InboxQuery } from '../../../shared/channels/alerting.ts';
import { message } from '../../../shared/text/message.ts';
import {
  calls,
  idOf,
  inbox,
  minutes,
  rule,
  saveWithChannel,
  stepsOf,
  topic,
} from '../../../test/harness/alert-calls.ts';
import { notificationIds, setUpCoreBench, shownIds } from '../../../test/harness/core-bench.ts';
import { noVault } from '../../../test/harness/core-rig.ts';
import type { FetchLike, KeyVault } from '../ports.ts';

const bench = setUpCoreBench();

/** A vault over these items, by service and account. */
const vaultOf = (items: Map<string, string>): KeyVault => ({
  ...noVault,
  getPassword: async (service, account) => items.get(`${service} ${account}`) ?? null,
  setPassword: async (service, account, password) => void items.set(`${service} ${account}`, password),
  deletePassword: async (service, account) => items.delete(`${service} ${account}`),
});

describe('channels', () => {
  const channel = topic('https://ntfy.example/topic');
  /** Answers requests to ntfy servers; the service answers all other requests. */
  const fetchWith =
    (answer: (request: Request) => Response): FetchLike =>
    async (url, init) =>
      new URL(url).host.endsWith('.example') ? answer(new Request(url, init)) : bench.service.fetch(url, init);
  const tokenOf = ({ headers }: Request): string | null => headers.get('authorization');
  test('a rule sends to its channel too, with its own attempts, until it is accepted', async () => {
    let failures = 2;
    const answer = vi.fn((_: Request) => new Response(null, { status: failures-- > 0 ? 503 : 200 }));
    const rig = await bench.up({ ports: { fetch: fetchWith(answer) } });
    await saveWithChannel(rig, channel);
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(30_000);
    expect(shownIds(rig)).toEqual(notificationIds(event));
    expect(answer).toHaveBeenCalledTimes(3);
    expect(await answer.mock.lastCall?.[0].json()).toMatchObject({
      topic: 'topic',
      title: '[SANDBOX] SPY is High Risk',
    });
    const steps = await stepsOf(rig, event.event_id);
    expect(steps).toContain('answered refused: ntfy.example answered 503. Retrying.');
    expect(steps).toContain('answered sent: ntfy.example accepted it.');
    expect(rig.snapshot().alerts[0]?.dispatch).toMatchObject({
      outcome: 'shown',
      notification_id: notificationIds(event)[0],
    });
  });
  test('the secret of a channel is stored in the keychain under channel and server, is sent there, and goes nowhere else', async () => {
    const items = new Map<string, string>();
    const vault = vaultOf(items);
    const answer = vi.fn((_: Request) => new Response());
    const rig = await bench.up({ ports: { fetch: fetchWith(answer), vault } });
    const lastRequest = () => {
      const [request] = answer.mock.lastCall ?? [];
      return request && [new URL(request.url).host, tokenOf(request)];
    };
    await calls(rig)['channels.save']({ channel });
    await calls(rig)['channels.secret']({ id: 'desk', secret: 'tk_planted', for_session: false });
    await calls(rig)['channels.test']({ id: 'desk' });
    expect(lastRequest()).toEqual(['ntfy.example', 'Bearer tk_planted']);
    await calls(rig)['channels.save']({ channel: topic('https://other.example/topic') });
    await calls(rig)['channels.test']({ id: 'desk' });
    expect(lastRequest()).toEqual(['other.example', null]);
    expect(JSON.stringify([rig.settings, rig.alertings, rig.logged])).not.toContain('tk_planted');
    await calls(rig)['channels.save']({ channel });
    await calls(rig)['channels.secret']({ id: 'desk', secret: null, for_session: false });
    expect(items.size).toBe(0);
  });
  test('all profiles share the secret of a channel, and one that is kept for a session is used until a later one', async () => {
    const items = new Map<string, string>([['sandbox outlet:desk:https://ntfy.example', 'tk_of_version_2']]);
    const vault = vaultOf(items);
    const answer = vi.fn((_: Request) => new Response());
    const rig = await bench.up({ ports: { fetch: fetchWith(answer), vault } });
    const sent = async () => {
      await calls(rig)['channels.test']({ id: 'desk' });
      return answer.mock.lastCall && tokenOf(answer.mock.lastCall[0]);
    };
    const keep = (secret: string, for_session: boolean) =>
      calls(rig)['channels.secret']({ id: 'desk', secret, for_session });
    await calls(rig)['channels.save']({ channel });
    expect(await sent()).toBe('Bearer tk_of_version_2');
    await keep('tk_session', true);
    expect(await sent()).toBe('Bearer tk_session');
    await keep('tk_kept', false);
    expect(await sent()).toBe('Bearer tk_kept');
    expect([...items.keys()]).toContain('@channels outlet:desk:https://ntfy.example');
    await calls(rig)['channels.delete']({ id: 'desk' });
    expect([...items.keys()].filter((key) => key.startsWith('@'))).toEqual([]);
  });
  test('a channel that accepts nothing for minutes says so on the desktop, once a day', async () => {
    const rig = await bench.up({ ports: { fetch: fetchWith(() => new Response('down', { status: 503 })) } });
    await saveWithChannel(rig, channel);
    bench.service.emit('SPY', 2);
    await bench.clock.advance(minutes(1));
    const notices = () => rig.shown.filter(({ title }) => title.includes('channel does not work'));
    expect(notices()).toEqual([]);
    await bench.clock.pass(minutes(10));
    bench.service.emit('QQQ', 2);
    await bench.clock.pass(minutes(20));
    expect(notices().map(({ body }) => body)).toEqual([
      expect.stringMatching(/^The channel desk has accepted nothing for [23] min: ntfy\.example answered 503/),
    ]);
  });
  test('a removed channel is gone from its rules, which notify the desktop alone', async () => {
    const rig = await bench.up();
    await saveWithChannel(rig, channel, {
      escalation: { hours: { kind: 'always' }, steps: [{ after_minutes: 1, channels: ['desk'] }] },
    });
    await calls(rig)['channels.delete']({ id: 'desk' });
    const { rules, channels } = await calls(rig)['alerting.read']({});
    expect(channels).toEqual([]);
    expect(rules[0]?.rule).toMatchObject({ channels: [], escalation: { steps: [] } });
    await expect(async () => calls(rig)['rules.save']({ rule: rule({ channels: ['desk'] }) })).rejects.toThrow(
      'There is no channel desk.',
    );
  });
  test('a notification without a keychain is sent without a secret; the refusal then names both causes', async () => {
    const vault = { ...noVault, getPassword: () => Promise.reject(new Error('The keychain is locked.')) };
    const answer = vi.fn((_: Request) => new Response());
    const rig = await bench.up({ ports: { fetch: fetchWith(answer), vault } });
    await calls(rig)['channels.save']({ channel });
    expect(await calls(rig)['channels.test']({ id: 'desk' })).toEqual({
      detail: message('delivery.taken', { host: 'ntfy.example' }),
    });
    expect(tokenOf(answer.mock.lastCall?.[0] ?? new Request('http://none.example'))).toBeNull();
    answer.mockReturnValue(new Response(null, { status: 403 }));
    await expect(async () => calls(rig)['channels.test']({ id: 'desk' })).rejects.toThrow(
      'ntfy.example answered 403. Set the secret of this channel in Settings, Channels. Its secret could not be read: The keychain is locked.',
    );
  });
  test('a test of it shows the receiver’s answer', async () => {
    const rig = await bench.up({ ports: { fetch: fetchWith(() => new Response(null, { status: 403 })) } });
    await expect(async () => calls(rig)['channels.test']({ id: 'desk' })).rejects.toThrow('There is no channel desk.');
    await calls(rig)['channels.save']({ channel });
    await expect(async () => calls(rig)['channels.test']({ id: 'desk' })).rejects.toThrow('answered 403');
  });
});

describe('the history of one event', () => {
  test('received, evaluated, dispatched, answered, repeated, clicked, noted, acknowledged, left', async () => {
    const rig = await bench.up();
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    await bench.clock.advance(1_500);
    await calls(rig)['alerts.clicked']({ notification_id: notificationIds(event)[0] ?? '' });
    await calls(rig)['alerts.note']({ ledger_id: idOf(rig, event.event_id), note: 'earnings' });
    await calls(rig)['alerts.acknowledge']({ ledger_ids: [idOf(rig, event.event_id)], acknowledged: true });
    await bench.clock.advance(31_000);
    bench.service.emit('SPY', 0);
    await bench.clock.advance(300);
    expect(await stepsOf(rig, event.event_id)).toEqual([
      'received by stream',
      'evaluated Matches "High Risk of a watched symbol". Notified at once.',
      `dispatched to the desktop as ${notificationIds(event)[0]}`,
      'answered shown: taken',
      `repeated by backfill, as ${event.event_id}`,
      `clicked ${notificationIds(event)[0]}`,
      'noted earnings',
      'acknowledged',
      expect.stringMatching(/^recovered signal\.normal at /),
    ]);
    expect((await inbox(rig, { filter: 'ended' }))[0]).toMatchObject({
      alert: { note: 'earnings' },
      ended: { to_state: 0 },
    });
  });
  test('the history of an event that no rule notifies names the nearest rule and its condition that failed', async () => {
    const rig = await bench.up();
    const event = bench.service.emit('ZZZ', 2);
    await bench.clock.advance(300);
    expect(await stepsOf(rig, event.event_id)).toEqual([
      'received by stream',
      'evaluated Not notified. The nearest rule, high-risk, is about other symbols.',
      `repeated by backfill, as ${event.event_id}`,
    ]);
    await calls(rig)['rules.save']({ rule: rule({ id: 'flips', events: ['regime.flip'] }) });
    const trace = await calls(rig)['alerts.trace']({ ledger_id: idOf(rig, event.event_id) });
    expect(trace.silent).toEqual([
      { rule: 'high-risk', miss: 'other_symbol' },
      { rule: 'flips', miss: 'other_event' },
    ]);
  });
});

test('the inbox continues page by page, each row once', async () => {
  const rig = await bench.up();
  for (let index = 0; index < 25; index += 1)
    bench.service.emit(index % 2 === 0 ? 'SPY' : 'QQQ', index % 3 === 0 ? 2 : 0);
  await bench.clock.advance(minutes(1));
  const seen: number[] = [];
  let before: InboxQuery['before'] = null;
  do {
    const page = await calls(rig)['alerts.read']({ filter: 'all', symbol: 'SPY', before, limit: 4 });
    seen.push(...page.rows.map(({ alert }) => alert.ledger_id));
    before = page.next;
  } while (before !== null);
  expect(seen).toHaveLength(13);
  expect(new Set(seen).size).toBe(13);
});

test('a row has the number of changes up to it, and the next change, however many follow', async () => {
  const rig = await bench.up();
  const first = bench.clock.now() - minutes(300);
  for (let index = 0; index < 300; index += 1)
    bench.service.emit('SPY', index % 2 === 0 ? 2 : 0, { at: new Date(first + minutes(index)).toISOString() });
  await bench.clock.advance(1_000);
  const page = await calls(rig)['alerts.read']({ filter: 'all', symbol: 'SPY', before: null, limit: 200 });
  const rest = await calls(rig)['alerts.read']({ filter: 'all', symbol: 'SPY', before: page.next, limit: 200 });
  const oldest = [...page.rows, ...rest.rows]
    .filter(({ alert }) => Date.parse(alert.transition.occurred_at) >= first)
    .reverse();
  expect(oldest).toHaveLength(300);
  expect(oldest.slice(0, 3).map(({ changes }) => changes)).toEqual([1, 2, 3]);
  expect(oldest[100]).toMatchObject({ changes: 21, ended: { to_state: oldest[101]?.alert.transition.to_state } });
  expect(oldest[100]?.ended?.at.slice(0, 19)).toBe(oldest[101]?.alert.transition.occurred_at.slice(0, 19));
  expect(oldest.at(-1)?.ended).toBeNull();
});
