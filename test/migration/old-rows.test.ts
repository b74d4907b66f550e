// Test: every row of the version of November 2026 is there after the migrations.
// So are the rows that this version could have written besides.

import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { symbolMatchers } from '../../shared/domain/matchers.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { type OldDataFolder, unpackOldFile, unpackOldFolder } from '../harness/old-data-folder.ts';

let folder: OldDataFolder;
beforeEach(() => {
  folder = unpackOldFolder();
});
afterEach(() => folder.remove());

/** Old names of tables; the others keep theirs. */
const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ledger: { tellings: 'notifications', ahead: 'pending_events', marks: 'annotations', facts: 'metadata' },
  relay: { aside: 'dead_letters', facts: 'metadata' },
  service: { standings: 'current_states' },
};
/** Tables that a migration adds, by file. */
const NEW_TABLES: Readonly<Record<string, readonly string[]>> = {
  ledger: ['desk_acts', 'price_states', 'removed_events', 'symbol_notes'],
  service: ['desk_acts', 'lanes', 'requests'],
};
/** Metadata that a migration adds. */
const NEW_METADATA = ['open_after'];
/** Values and JSON keys of the fixture that a migration renames. */
const VALUES: Readonly<Record<string, string>> = {
  'before_first_sight:high-risk': 'before_baseline:high-risk',
  judged: 'evaluated',
  handed: 'dispatched',
  first_sight: 'baseline',
  sight_until: 'connected_until',
  drill: 'self_test',
};
const KEYS: Readonly<Record<string, string>> = { words: 'message', way: 'method' };

test.each(Object.keys(TABLES))(
  '%s: every row of every table is there, and no value has changed but by its name',
  (name) => {
    const before = tablesOf(new Database(unpackOldFile(name)));
    folder.ledger();
    folder.relay();
    folder.service();
    folder.close();
    const path = name === 'service' ? folder.serviceFile : folder.profile(`${name}.sqlite`);
    const after = tablesOf(new Database(path, { readonly: true }));
    const tables = [...before.keys()].map((table) => TABLES[name]?.[table] ?? table);
    expect([...after.keys()].sort()).toEqual([...tables, ...(NEW_TABLES[name] ?? [])].sort());
    for (const [table, rows] of before) {
      // A migration adds columns at the end.
      const width = rows[0]?.length ?? 0;
      const found = (after.get(TABLES[name]?.[table] ?? table) ?? [])
        .filter(([first]) => !NEW_METADATA.some((added) => added === first))
        .map((row) => row.slice(0, width));
      expect(found.map((row) => JSON.stringify(row)).sort()).toEqual(
        rows
          .map((row) =>
            JSON.stringify(
              rename(name === 'service' ? row.map(withState) : table === 'mutes' ? withMatchers(row) : row),
            ),
          )
          .sort(),
      );
    }
  },
);

/** A mute had symbols, separated by commas, where it has matchers. */
const withMatchers = ([id, kind, symbols, ...rest]: readonly unknown[]): unknown[] => [
  id,
  kind,
  symbolMatchers(symbols === null ? null : String(symbols).split(',')),
  ...rest,
];

/** Every table with its rows as lists of cells, JSON parsed; without what SQLite keeps for itself. */
function tablesOf(db: Database.Database): Map<string, unknown[][]> {
  const names = db
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();
  const tables = names.map((name): [string, unknown[][]] => [
    name,
    db
      .prepare<[], unknown[]>(`SELECT * FROM "${name}"`)
      .raw()
      .all()
      .map((row) => row.map(cell)),
  ]);
  db.close();
  return new Map(tables);
}

/** A text that holds a JSON object or array as its value, with keys in order. */
function cell(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[{[]/.test(value)) return value;
  try {
    return inOrder(JSON.parse(value));
  } catch {
    return value;
  }
}
/** The body of a transition as migration 8 of the service's store writes it: with `state` beside `to_state`. */
function withState(cell: unknown): unknown {
  const body = cell as { data?: { to_state?: unknown } } | null;
  if (typeof body !== 'object' || typeof body?.data?.to_state !== 'number') return cell;
  return { ...body, data: { ...body.data, state: body.data.to_state } };
}
const inOrder = (value: unknown): unknown => mapKeys(value, (key) => key);
const rename = (value: unknown): unknown =>
  mapKeys(
    value,
    (key) => KEYS[key] ?? key,
    (text) => VALUES[text] ?? text,
  );

function mapKeys(value: unknown, keyOf: (key: string) => string, textOf = (text: string): string => text): unknown {
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) return value.map((one) => mapKeys(one, keyOf, textOf));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => [
    keyOf(key),
    mapKeys(one, keyOf, textOf),
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The run that wrote the fixture had no silence, outage, gap or dead letter. They are added here in the form of that version. */
describe('what that version could write and the fixture lacks', () => {
  const add = (file: string, sql: string): void => {
    const db = new Database(file === 'service.sqlite' ? folder.serviceFile : folder.profile(file));
    db.exec(sql);
    db.close();
  };

  test('a silence', () => {
    add(
      'ledger.sqlite',
      `INSERT INTO mutes (kind, symbols, until, from_at, until_at, comment, made_ms)
       VALUES ('silence', NULL, 'time', '2026-11-22T14:00:00.000Z', '2026-11-22T18:00:00.000Z', 'lunch', 5)`,
    );
    expect(folder.ledger().mutes.active()).toMatchObject([
      { kind: 'snooze' },
      {
        kind: 'silence',
        matchers: [],
        until: 'time',
        untilAt: Date.parse('2026-11-22T18:00:00.000Z'),
        comment: 'lunch',
      },
    ]);
  });

  test('notifications that wait, those of outages and self-tests, and a digest', () => {
    const row = (id: string, kind: string, outcome: string, bin: string | null, digest: string | null = null) =>
      `INSERT INTO tellings VALUES ('${id}', 1, 'desktop', '${kind}', 'high-risk', NULL, 7, '${outcome}', '', ${quoted(bin)}, ${quoted(digest)}, NULL, '', 0);`;
    add(
      'ledger.sqlite',
      [
        row('barograph:a', 'alert', 'gathered', 'away'),
        row('barograph:b', 'alert', 'held', 'hold:SPY'),
        row('barograph:c', 'alert', 'gathered', 'burst'),
        row('barograph:d', 'alert', 'digest', null, 'digest:1'),
        row('barograph:blind:2026-11-22T14:00:00.000Z', 'blind', 'shown', null),
        row('barograph:drill:2026-11-22T14:00:00.000Z', 'drill', 'shown', null),
      ].join('\n'),
    );
    const { notifications } = folder.ledger();
    expect(notifications.queuedBatches()).toEqual(['burst', 'downtime', 'hold:SPY', 'mute']);
    expect(notifications.queued('downtime')).toMatchObject([{ id: 'barograph:a', outcome: 'batched' }]);
    expect(notifications.queued('hold:SPY')).toMatchObject([{ id: 'barograph:b', outcome: 'pending' }]);
    expect(notifications.membersOf('digest:1')).toMatchObject([{ id: 'barograph:d', sources: 'backfill' }]);
    expect(notifications.of(1).map(({ id, kind }) => [id, kind])).toEqual(
      expect.arrayContaining([
        ['barograph:outage:2026-11-22T14:00:00.000Z', 'outage'],
        ['barograph:self-test:2026-11-22T14:00:00.000Z', 'self_test'],
      ]),
    );
  });

  test('downtime and an outage that lasts', () => {
    add(
      'ledger.sqlite',
      `INSERT INTO gaps (kind, from_at, to_at, cause, closed, filled) VALUES ('away', '2026-11-22T14:00:00.000Z', NULL, 'asleep', 0, 0);
       INSERT INTO ahead VALUES (560, 'evt_560');
       INSERT INTO facts VALUES ('away_from', '2026-11-22T14:00:00.000Z'), ('away_until', '2026-11-22T14:10:00.000Z'), ('away_cause', 'asleep'),
         ('blind', '{"since":"2026-11-22T14:00:00.000Z","cause":"asleep","awake":1,"inMarket":2,"told":3,"next":4}');`,
    );
    const { metadata, gaps, pendingIds, openGap } = folder.ledger();
    expect(gaps(10)).toMatchObject([
      { from: '2026-11-22T14:00:00.000Z', cause: plainMessage('asleep'), closed: false, lost: false },
    ]);
    expect(openGap('downtime', '2026-11-22T14:20:00.000Z', null, plainMessage('asleep'))).toBe(false);
    expect(pendingIds()).toEqual(['evt_560']);
    expect([metadata.get('downtime_from'), metadata.get('downtime_until'), metadata.get('downtime_cause')]).toEqual([
      '2026-11-22T14:00:00.000Z',
      '2026-11-22T14:10:00.000Z',
      'asleep',
    ]);
    expect(JSON.parse(metadata.get('outage') ?? '')).toMatchObject({ notifiedCount: 3, next: 4 });
  });

  test('a backup of the ledger and one of the flags, each from before the damage', () => {
    mkdirSync(folder.profile('backups'));
    for (const name of ['ledger', 'marks'])
      copyFileSync(folder.profile(`${name}.sqlite`), folder.profile(join('backups', `${name}-2026-11-22.sqlite`)));
    for (const name of ['ledger', 'marks', 'archive'])
      writeFileSync(folder.profile(`${name}.sqlite`), Buffer.alloc(50_000, 0x5a));
    const { loss, annotations, count } = folder.ledger();
    expect(loss()).toMatchObject({ restored: 'ledger-2026-11-22.sqlite' });
    expect([count(), annotations.of(551).note]).toEqual([554, 'a note written long ago']);
    expect(folder.archive().flags.of('brf_01M81VCJ0E002WP5CH0YN8DK')).toMatchObject({ starred: true, later: true });
  });

  test('briefings that the service generated', () => {
    add(
      'service.sqlite',
      `INSERT INTO briefings VALUES ('brf_1', 'desk', 'weekly', 'Title', 'Macro desk', 5, 'Summary', '["SPY"]', 2, 'text'),
         ('brf_2', 'editorial', 'weekly', 'Title', 'Editor', 6, 'Summary', '[]', 2, 'text')`,
    );
    const { briefings } = folder.service();
    expect(briefings.find('brf_1')).toMatchObject({ author: 'Macro desk', symbols: ['SPY'], body: 'text' });
    briefings.prune(10);
    expect([briefings.has('brf_1'), briefings.has('brf_2')]).toEqual([false, true]);
  });

  test('deliveries that a target still waits for, and dead letters', () => {
    add(
      'relay.sqlite',
      `INSERT INTO forwards VALUES (1, 'tgt_XOlnXVW_YGoY', 'evt_1', 'body', 'pending', 2, 1, 5, 1, 503, 'busy');
       INSERT INTO aside VALUES ('evt_2', 'body', 'unreadable', 9);`,
    );
    const store = folder.relay();
    expect(store.queue.due('tgt_XOlnXVW_YGoY', 5)).toEqual({ id: 1, eventId: 'evt_1', body: 'body', attempts: 2 });
    expect(store.deadLetters.all()).toEqual([{ eventId: 'evt_2', body: 'body', why: 'unreadable', receivedAt: 9 }]);
  });
});

function quoted(text: string | null): string {
  return text === null ? 'NULL' : `'${text}'`;
}
