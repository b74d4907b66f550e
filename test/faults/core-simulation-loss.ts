// Faults: removes, empties or spoils the ledger of a simulated life, with daily copies or without.
import { existsSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { backUp } from '../../main/core/files/backup.ts';
import { LEDGER_NAME } from '../../main/core/ledger/database.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { isOutageNotice } from './core-simulation-oracle.ts';
import type { Program, World } from './core-simulation-program.ts';
import type { Chance } from './core-simulation-random.ts';

/** Weight, name, function. */
type LossAction = readonly [number, string, () => unknown];

export function lossActions(world: World, chances: Chance, program: Program): readonly LossAction[] {
  const { clock, disk, say } = world;
  const copy = (): void => {
    if (!existsSync(join(disk.folder, LEDGER_NAME))) return;
    // One day per minute of the life.
    const day = new Date(Date.UTC(2026, 2, 1) + Math.floor(clock.now() / 60_000) * 86_400_000);
    try {
      backUp(disk.folder, { names: [LEDGER_NAME], day: day.toISOString().slice(0, 10) });
      say('copied');
    } catch (error) {
      // A damaged ledger cannot be copied; the older copies remain.
      say(messageOf(error));
    }
  };
  return [
    [3, 'copy of the ledger', copy],
    [3, 'ledger lost', () => lose(world, chances, program)],
  ];
}

async function lose({ disk, desktop, say }: World, { chance, pick }: Chance, program: Program): Promise<void> {
  const path = join(disk.folder, LEDGER_NAME);
  const remove = (): void => {
    for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
  };
  const truncate = (): void => {
    if (existsSync(path)) truncateSync(path, 0);
  };
  /** A ledger that was lost a moment ago has no tables yet. */
  const sql = (table: string, statement: string) => (): void => {
    if (!existsSync(path)) return;
    const db = new Database(path);
    try {
      const isThere = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table);
      if (isThere !== undefined) db.exec(statement);
    } catch (error) {
      // It was truncated while the program wrote: nothing in it can be read.
      say(messageOf(error));
    } finally {
      db.close();
    }
  };
  // While the program has the file open, it can write it back.
  const isOpen = chance(0.3);
  const attack = isOpen
    ? pick([remove, truncate])
    : pick([remove, remove, truncate, sql('gaps', 'DROP TABLE gaps'), sql('events', 'DELETE FROM events')]);
  if (isOpen) attack();
  if (chance(0.5)) await program.stop();
  else program.kill();
  if (!isOpen) attack();
  // The lost ledger alone knew that they were open.
  for (const id of desktop.titles.keys()) if (isOutageNotice(id)) program.lostMemory.add(id);
  say(`lost ${isOpen ? 'while open' : 'after the end'}`);
}
