// Test: the app opens a data folder of the version of November 2026 and loses nothing in it.

import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSearch } from '../../main/core/archive/search.ts';
import { createChannelStore } from '../../main/core/notifications/channel-store.ts';
import { createRuleStore } from '../../main/core/notifications/rule-store.ts';
import { SelfTestStateSchema } from '../../main/core/self-test/state.ts';
import { createSettingsStore } from '../../main/host/settings-store.ts';
import { symbolMatchers } from '../../shared/domain/matchers.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { OLD_FOLDER_TIME, type OldDataFolder, unpackOldFolder } from '../harness/old-data-folder.ts';

/** A High Risk of SPY: notified, acknowledged, and annotated. */
const ALERT = 551;
/** The last High Risk of SPY: snoozed. */
const SNOOZED = 553;

let folder: OldDataFolder;
beforeEach(() => {
  folder = unpackOldFolder();
});
afterEach(() => folder.remove());

describe('settings', () => {
  const open = (lines: string[]) => createSettingsStore(folder.path, (line) => lines.push(line));

  test('profiles, watchlists, retention and the name of the vault are kept', () => {
    const lines: string[] = [];
    expect(open(lines).read()).toMatchObject({
      vault: '60eeeff48107',
      profiles: [
        { name: 'remote', environment: 'sandbox', baseUrl: 'http://127.0.0.1:45901', mode: 'auto', enabled: true },
      ],
      watchlists: [{ id: 'main', name: 'Main', sections: [{ name: 'Funds', symbols: ['SPY', 'QQQ', 'IWM'] }] }],
      selected: 'SPY',
      archive: { retention: { briefings: 365, news: 30 } },
    });
    expect(lines).toEqual([]);
    expect(readdirSync(folder.path).filter((name) => name.includes('.bad-'))).toEqual([]);
  });

  test('rules with their channel, quiet hours and the limits of the outage alarm are kept', () => {
    const rules = createRuleStore(open([]));
    expect(rules.views(OLD_FOLDER_TIME).map(({ id, problem }) => [id, problem])).toEqual([
      ['high-risk', null],
      ['desk', null],
    ]);
    expect(rules.rules().map(({ profiles }) => profiles)).toEqual([null, null]);
    expect(rules.get('high-risk')).toMatchObject({ scope: { kind: 'watched' }, min_state: 2, channels: [] });
    expect(rules.get('desk')).toMatchObject({
      name: 'Everything to ntfy',
      events: ['signal.high_risk', 'signal.elevated'],
      scope: { kind: 'all' },
      min_state: 1,
      channels: ['desk'],
    });
    expect(createChannelStore(open([])).get('desk')).toEqual({
      id: 'desk',
      name: 'Everything to ntfy',
      destination: { kind: 'ntfy', url: 'http://127.0.0.1:9/topic', answers: null },
    });
    expect(rules.quiet()).toEqual({
      when: 'inside',
      hours: { kind: 'daily', zone: 'Europe/Berlin', days: [1, 2, 3, 4, 5], from: '22:00', to: '06:00' },
    });
    expect(rules.outageAlarm()).toEqual({ market_minutes: 3, other_minutes: 45 });
  });

  test('what the user changes next is written beside them', () => {
    const before = createRuleStore(open([]));
    before.setOutageAlarm({ market_minutes: 4, other_minutes: 45 });
    const after = createRuleStore(open([]));
    expect(after.outageAlarm()).toEqual({ market_minutes: 4, other_minutes: 45 });
    expect(after.rules()).toEqual(before.rules());
    expect(after.rules()).toHaveLength(2);
    expect(after.quiet()).toEqual(before.quiet());
  });
});

describe('ledger', () => {
  test('events with their sources, decisions and states', () => {
    const { count, entries, loss } = folder.ledger();
    expect([count(), loss()]).toEqual([554, null]);
    const rows = entries.byLedgerIds(Array.from({ length: 554 }, (_, index) => index + 1));
    expect(tally(rows.map(({ event, sources, decision }) => [event, sources, decision].join(' ')))).toEqual({
      'signal.elevated backfill other_event:high-risk': 245,
      'signal.high_risk backfill before_baseline:high-risk': 245,
      'signal.normal backfill other_event:high-risk': 46,
      'regime.flip backfill ': 7,
      'signal.high_risk stream,relay matched:high-risk': 5,
      'signal.normal stream,relay other_event:high-risk': 4,
      'briefing.published stream,relay ': 1,
      'signal.created stream,relay ': 1,
    });
    expect(entries.byLedgerIds([ALERT])[0]).toMatchObject({
      event_id: 'evt_01M81VCMDD001K27HXK5AZ4Z',
      symbol: 'SPY',
      to_state: 2,
      seq: 551,
    });
  });

  test('cursor and metadata: the stream goes on where it ended', () => {
    const { cursor, metadata, hasPending, gaps } = folder.ledger();
    expect(cursor()).toEqual({ log: 1, eventId: 'evt_01M81VCQWA00160PAXAEV205', seq: 554 });
    expect([hasPending(), gaps(10)]).toEqual([false, []]);
    expect(metadata.get('baseline')).toBe('2026-11-22T14:43:23.921Z');
    expect(metadata.get('caught_up')).toBe('yes');
    expect(metadata.get('connected_until')).toBe('2026-11-22T14:43:39.032Z');
    expect(metadata.get('proven_until')).toBe('2026-11-22T14:43:24.080Z');
    expect(metadata.get('proven_until_here')).toBe('2026-11-22T14:43:24.050Z');
    expect(metadata.get('proven_event')).toBe('evt_01M81S9RXR000GS8WFRMFRS0');
  });

  test('the result of the last self-test', () => {
    const state = SelfTestStateSchema.parse(JSON.parse(folder.ledger().metadata.get('self_test') ?? ''));
    expect(state).toMatchObject({
      event_id: 'evt_01M81VCQWA00160PAXAEV205',
      message: plainMessage('You would not have been told. A High Risk of SPY is kept back now: snoozed.'),
      symbol: 'SPY',
      method: 'trigger',
    });
    expect(state.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
      'sent passed',
      'stream passed',
      'webhook passed',
      'written passed',
      'matched failed',
      'dispatched skipped',
      'shown skipped',
      'acknowledged skipped',
    ]);
  });

  test('snooze, acknowledgement and note', () => {
    const { mutes, annotations } = folder.ledger();
    expect(mutes.active()).toMatchObject([
      {
        kind: 'snooze',
        matchers: symbolMatchers(['SPY']),
        until: 'recovery',
        untilAt: null,
        from: Date.parse('2026-11-22T14:43:33.356Z'),
      },
    ]);
    expect(annotations.of(ALERT)).toEqual({ ackedAt: 1795358613341, note: 'a note written long ago' });
    expect([...annotations.acknowledgedOf([ALERT, SNOOZED])]).toEqual([ALERT]);
  });

  test('notifications: what was shown, what is still to be sent, and what waits for the snooze to end', () => {
    const { notifications } = folder.ledger();
    const rows = Array.from({ length: 554 }, (_, index) => notifications.of(index + 1)).flat();
    expect(tally(rows.map(({ channel, kind, outcome }) => [channel, kind, outcome].join(' ')))).toEqual({
      'desktop alert in_app': 5,
      'desk alert failed': 5,
      'desktop again muted': 1,
    });
    expect(notifications.pending(10).map(({ channel, ledgerId, attempts }) => [channel, ledgerId, attempts])).toEqual([
      ['desk', 544, 5],
      ['desk', 547, 5],
      ['desk', 549, 6],
      ['desk', ALERT, 5],
      ['desk', SNOOZED, 5],
    ]);
    expect(notifications.queuedBatches()).toEqual(['mute']);
    expect(notifications.queued('mute')).toMatchObject([
      {
        ledgerId: SNOOZED,
        kind: 'again',
        rules: ['high-risk', 'desk'],
        outcome: 'muted',
        reason: plainMessage('snoozed'),
      },
    ]);
    expect(notifications.dispatchOf(ALERT)).toMatchObject({ outcome: 'in_app' });
    expect(notifications.newestOnDesktop()).toBe(1795358610711);
  });

  test('trace', () => {
    const { trace } = folder.ledger();
    const rows = Array.from({ length: 554 }, (_, index) => trace.of(index + 1)).flat();
    expect(tally(rows.map(({ step }) => step))).toEqual({
      evaluated: 6,
      dispatched: 10,
      answered: 10,
      repeated: 11,
      acknowledged: 1,
      noted: 1,
      snoozed: 1,
    });
    expect(trace.of(ALERT).map(({ step }) => step)).toEqual([
      'evaluated',
      'dispatched',
      'answered',
      'repeated',
      'dispatched',
      'answered',
      'acknowledged',
      'noted',
    ]);
  });
});

describe('archive and flags', () => {
  const STARRED = 'brf_01M81VCJ0E002WP5CH0YN8DK';

  test('the flags move into the archive, with the starred briefing', () => {
    const { flags, briefings, metadata } = folder.archive();
    expect(existsSync(folder.profile('marks.sqlite'))).toBe(false);
    expect(flags.of(STARRED)).toEqual({ unread: false, starred: true, later: true });
    expect(metadata.get('read_before')).toBe('2026-11-15T14:43:24.756Z');
    expect(briefings.read(STARRED)).toMatchObject({ starred: true, later: true, unread: false });
  });

  test('briefings with their texts, and news', () => {
    const { briefings, news } = folder.archive();
    expect(briefings.tallies().reduce((sum, { count }) => sum + count, 0)).toBe(15);
    expect([briefings.countPendingTexts(), briefings.countTextless(), news.count()]).toEqual([0, 0, 15]);
    expect(briefings.read(STARRED)?.text?.body).toMatch(/High Risk/);
  });

  test('the search finds briefings and news; alerts and notes are indexed again from the ledger', () => {
    const { db, alerts } = folder.archive();
    const search = createSearch(db);
    const find = (text: string) => search({ text, kinds: null, limit: 40 });
    expect([...new Set(find('SPY').map(({ kind }) => kind))].sort()).toEqual(['briefing', 'news']);
    for (const index of ['briefings_fts', 'news_fts'])
      expect(() => db.exec(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`)).not.toThrow();
    expect(find('turns to Calm Uptrend').map(({ title }) => title)).toContain(
      'Weekly: IWM turns to Calm Uptrend at 266.62',
    );
    expect(alerts.last().ledgerId).toBe(0);
  });
});

test('relay: the target with its secret and position, the name and the subscription', () => {
  const lines: string[] = [];
  const store = folder.relay(lines);
  expect(store.queue.targets()).toEqual([
    {
      id: 'tgt_XOlnXVW_YGoY',
      url: 'http://127.0.0.1:9/hook',
      secret: 'whsec_old_target_secret_000000000000',
      filter: { events: null, symbols: null, states: null },
      allowPublic: false,
      position: 554,
      since: 1795358556,
    },
  ]);
  expect([store.name, store.getMetadata('subscription')]).toEqual(['ci0qiaKn1eQT', 'sub_897e712ed6970fdda98783c4']);
  expect(lines).toEqual([]);
});

describe('service', () => {
  test('events and current states', () => {
    const { log, currentStates, meta } = folder.service();
    expect([log.lastSeq(), log.after(0, 1_000, 0).length]).toEqual([554, 554]);
    expect(log.find('evt_01M81VCMDD001K27HXK5AZ4Z')?.seq).toBe(ALERT);
    expect(meta('model_version')).toBe('dd-p-1+log8-1.314e0b');
    const states = currentStates.all();
    expect(states.map(({ symbol, state }) => `${symbol} ${state}`)).toEqual([
      'BTC 0',
      'COMP 0',
      'DIA 2',
      'ETH 0',
      'EURUSD 2',
      'GBPUSD 0',
      'IWM 0',
      'QQQ 0',
      'SPX 0',
      'SPY 2',
    ]);
    expect(states.at(-1)).toEqual({
      symbol: 'SPY',
      day: '2026-11-21',
      state: 2,
      since: 1795358610664,
      holdDownUntil: 1795358910664,
      regime: 'volatile_uptrend',
      regimeSince: 1795046400000,
      regimeHoldDownUntil: null,
      restsOn: null,
    });
  });

  test('the webhook subscription with its secret and position', () => {
    expect(folder.service().subscriptions.active()).toMatchObject([
      {
        id: 'sub_897e712ed6970fdda98783c4',
        url: 'http://127.0.0.1:4781/in/qkiGmSiWzs0FC9VEjXTJeG5aJgtZhWC7',
        secret: 'pIZmX3q5ZJJ/4HMvJcryWhOk3hPGa7pDbClOENIKyGI=',
        position: 554,
      },
    ]);
  });
});

function tally(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
