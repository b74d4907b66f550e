// Main, core: how the archive stands, for the windows.
import type { ArchiveFace, Retention } from '../../../shared/channels/archive.ts';
import type { TallyRow } from './briefings.ts';

type Briefings = ArchiveFace['briefings'];

/** From one row per type, author and marks. Types and authors by name. */
export function tallyOf(rows: readonly TallyRow[], textless: number): Briefings {
  const sum = (wanted: (row: TallyRow) => boolean): number => rows.reduce((total, row) => (wanted(row) ? total + row.count : total), 0);
  const by = (name: 'type' | 'author'): Briefings['types'] =>
    [...new Set(rows.map((row) => row[name]))]
      .sort((a, b) => a.localeCompare(b))
      .map((value) => ({
        name: value,
        all: sum((row) => row[name] === value),
        unread: sum((row) => row[name] === value && row.unread),
      }));
  return {
    all: sum(() => true),
    textless,
    unread: sum((row) => row.unread),
    starred: sum((row) => row.starred),
    later: sum((row) => row.later),
    types: by('type'),
    authors: by('author'),
  };
}

export const emptyFace = (problem: string | null, retention: Retention, version: number): ArchiveFace => ({
  briefings: tallyOf([], 0),
  news: 0,
  version,
  filling: null,
  complete: false,
  problem,
  bytes: 0,
  retention,
  checked: null,
  backup: null,
});
