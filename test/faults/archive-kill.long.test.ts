// Faults: kills a program while it fills the archive: committed texts and flags survive.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../main/core/archive/store.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { type RunningProcess, start, TOP } from '../harness/processes.ts';

const KILLS = Number(process.env.BAROGRAPH_KILLS ?? 4);
const NOW = Date.parse('2026-03-02T14:30:00.000Z');
let folder = { path: '', remove: (): void => undefined };
let running: RunningProcess | null = null;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await running?.kill();
  folder.remove();
});

const numbers = (child: RunningProcess, what: string): number[] =>
  [...child.printed().matchAll(new RegExp(`^${what} (\\d+)$`, 'gm'))].map(([, number]) => Number(number));

test('after every kill -9 during filling, committed rows are whole and none is lost', {
  timeout: 60_000 + KILLS * 20_000,
}, async ({ task }) => {
  task.meta.attempts = { kills: KILLS };
  const stored: number[] = [];
  const starred: number[] = [];
  let next = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const child = start(process.execPath, [join(TOP, 'test', 'faults', 'archive-child.ts'), folder.path, String(next)]);
    running = child;
    await child.line(new RegExp(`^kept ${next + kill * 7}$`, 'm'), 20_000);
    await child.kill();
    stored.push(...numbers(child, 'kept'));
    starred.push(...numbers(child, 'starred'));

    const store = openStore(folder.path, NOW);
    expect(store.quarantined).toEqual([]);
    expect(store.db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(() =>
      store.db.exec("INSERT INTO briefings_fts (briefings_fts, rank) VALUES ('integrity-check', 1)"),
    ).not.toThrow();
    for (const number of stored) expect(store.briefings.read(`b${number}`)?.text?.body).toContain(`Number ${number}. `);
    for (const number of starred) expect(store.briefings.read(`b${number}`)?.starred).toBe(true);
    // The last briefing may be committed without its line.
    next = store.briefings.tallies().reduce((sum, { count }) => sum + count, 0);
    expect(next - stored.length).toBeLessThanOrEqual(kill);
    store.close();
  }
});
