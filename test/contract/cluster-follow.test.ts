// Contract: a node follows the journal in PostgreSQL by what notifications have, and reads what they lack.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { follow } from '../../service/cluster/follow.ts';
import { isLast, type JournalEntry } from '../../service/cluster/journal.ts';
import type { JournalMessage } from '../../service/cluster/messages.ts';
import { createPostgresJournal, type PostgresJournal } from '../../service/cluster/postgres-journal.ts';
import { eventually } from '../harness/eventually.ts';
import { notRun } from '../harness/not-run.ts';
import { type Postgres, startPostgres, whyNoPostgres, whyNoPostgresProcess } from '../harness/postgres.ts';
import { startTcpProxy } from '../harness/tcp-proxy.ts';

const LARGE = 20_000;

const why = whyNoPostgres();
describe.skipIf(why)(`a follower${notRun(why)}`, () => {
  let postgres: Postgres;
  let url: string;
  let writer: PostgresJournal;
  let reader: PostgresJournal;
  let bare: pg.Client;
  let ending: AbortController;
  let following: Promise<void>;
  let messages: JournalMessage[];
  let written: { id: string; body: string }[];
  /** Reads of the journal's table by the follower. */
  let reads: number;

  beforeAll(async () => {
    postgres = await startPostgres();
  }, 120_000);
  afterAll(() => postgres.remove());
  beforeEach(async () => {
    url = await postgres.createDatabase();
    writer = createPostgresJournal(url, 'test', () => 0);
    await writer.open();
    reader = createPostgresJournal(url, 'test', () => 0);
    await reader.open();
    bare = new pg.Client({ connectionString: url });
    await bare.connect();
    [ending, messages, written, reads] = [new AbortController(), [], [], 0];
    const journal: PostgresJournal = {
      ...reader,
      afterOver(...args) {
        reads += 1;
        return reader.afterOver(...args);
      },
    };
    following = follow({
      ...{ url, journal, after: 0, entry: '', signal: ending.signal },
      send: (message) => void messages.push(message),
    });
    await eventually(() => expect(reads).toBeGreaterThan(0));
  });
  afterEach(async () => {
    ending.abort();
    await following;
    await Promise.all([writer.close(), reader.close(), bare.end()]);
  });

  const next = (body: string) => {
    const entry = { id: `n.${written.length + 1}`, after: written.length, previous: written.at(-1)?.id ?? '', body };
    written.push(entry);
    return entry;
  };
  const append = (body: string): Promise<string> => writer.append({ ...next(body), epoch: null, worldTime: null }, 0);
  const received = (): JournalEntry[] =>
    messages.flatMap((message) => (message.kind === 'entries' ? [...message.entries] : []));
  const all = (): Promise<void> =>
    eventually(() => expect(received().map(({ id, body }) => ({ id, body }))).toMatchObject(written.map(idAndBody)));
  const idAndBody = ({ id, body }: { id: string; body: string }) => ({ id, body });

  test('takes entries from their notifications, each once, with every character', async () => {
    for (let count = 0; count < 30; count += 1) await append(JSON.stringify([`Größe "${count}"\n\\ 日本\u2028`]));
    await all();
    expect(received().map(({ position }) => position)).toEqual(written.map((_, index) => index + 1));
    expect(received()[3]?.previous).toBe('n.3');
    // The first look, and those of the polls meanwhile.
    expect(reads).toBeLessThan(15);
  });

  test('reads an entry that no notification can hold, and those after it', async () => {
    for (const size of [10, LARGE, 10, 6_999, 7_000, 7_001, 10]) await append('ä'.repeat(size));
    await all();
  });

  test('reads large entries a few at a time', async () => {
    ending.abort();
    await following;
    for (let count = 0; count < 4; count += 1) await append(`${count}`.repeat(100_000));
    const first = await reader.after(0, 200);
    expect(first.map(({ position }) => position)).toEqual([1, 2, 3]);
    expect(isLast(first, 200)).toBe(false);
    const rest = await reader.after(3, 200);
    expect(rest.map(({ position }) => position)).toEqual([4]);
    expect(isLast(rest, 200)).toBe(true);
  });

  const whyNoProcess = whyNoPostgresProcess();
  test.skipIf(whyNoProcess)(
    `over a slow network reads a snapshot and entries that take longer than a statement may${notRun(whyNoProcess)}`,
    {
      tags: ['long'],
    },
    async () => {
      const socket = postgres.process?.socket ?? '';
      ending.abort();
      await following;
      for (let count = 0; count < 40; count += 1) await append(`${count % 10}`.repeat(200_000));
      const snapshot = { position: 1, entry: 'n.1', body: randomBytes(4 * 1024 * 1024) };
      await writer.keep(snapshot, 0);
      const network = await startTcpProxy({ path: socket });
      network.limit(1_000_000);
      const far = `postgres://postgres@127.0.0.1:${network.port}${new URL(url).pathname}`;
      const distant = createPostgresJournal(far, 'test', () => 0);
      try {
        const opened = await distant.open();
        expect(opened.snapshot?.entry).toBe('n.1');
        expect(snapshot.body.equals(opened.snapshot?.body ?? Buffer.alloc(0))).toBe(true);
        ending = new AbortController();
        following = follow({
          ...{ url: far, journal: distant, after: 0, entry: '', signal: ending.signal },
          send: (message) => void messages.push(message),
        });
        await all();
        expect(messages.filter(({ kind }) => kind === 'connected')).toEqual([]);
      } finally {
        ending.abort();
        await network.close();
        await following;
        await distant.close();
      }
    },
  );

  test('reads what was not notified with the next one that is', async () => {
    await append('a');
    for (const { id, after, previous, body } of [next('b'), next('c')])
      await bare.query(
        `WITH moved AS (UPDATE barograph.head SET position = position + 1, entry = $1 RETURNING position)
         INSERT INTO barograph.journal (position, epoch, entry, previous, body) SELECT $2, 0, $1, $3, $4 FROM moved`,
        [id, after + 1, previous, body],
      );
    await append('d');
    await all();
  });

  test('takes nothing from notifications of another program, another log or an older version', async () => {
    for (const payload of ['', '1', 'no entry\n', `${'0'.repeat(36)} 1 0 x.1 \nforged`])
      await bare.query('SELECT pg_notify($1, $2)', ['barograph_journal', payload]);
    await append('a');
    await all();
  });
});
