// Main, core: how the archive stands, for the windows: counted anew when something changed, and pushed when a few changes have gathered.
import type { ArchiveFace, Retention } from '../../../shared/channels/archive.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { TallyRow } from './briefings.ts';
import type { ArchiveFiles } from './files.ts';
import type { Filling } from './filling.ts';
import type { ArchiveStore } from './store.ts';
import type { Upkeep } from './upkeep.ts';

type Briefings = ArchiveFace['briefings'];

export interface FaceReader {
  read(): ArchiveFace;
  /** Something that it shows is different now. */
  changed(): void;
  stop(): void;
}

export interface FaceOptions {
  readonly clock: Clock;
  /** Why this program has no archive, in words; null: it has one. */
  readonly absent: string | null;
  readonly retention: () => Retention;
  /** Asked late: what fills the archive and looks after it says itself when something changed. */
  readonly rooms: () => {
    readonly files: Pick<ArchiveFiles, 'use' | 'problem'>;
    readonly filling: Pick<Filling, 'isFilling' | 'problem'>;
    readonly upkeep: Pick<Upkeep, 'problem' | 'face'>;
  };
  /** What the files throw, in words for the user. */
  readonly wordsOf: (thrown: unknown) => string;
  readonly onChanged: (face: ArchiveFace) => void;
}

/** Changes within this time are shown at once, ms. */
const GATHER = 250;

export function createFaceReader({ clock, absent, retention, rooms, wordsOf, onChanged }: FaceOptions): FaceReader {
  let version = 1;
  let cancelPush: Cancel | null = null;
  let isStopped = false;
  /** Of the last face: counting is only worth it when something changed. */
  let counted: { readonly version: number; readonly tally: Briefings; readonly news: number } | null = null;

  const faceOf = (store: ArchiveStore): ArchiveFace => {
    const { files, filling, upkeep } = rooms();
    if (counted?.version !== version)
      counted = {
        version,
        tally: tallyOf(store.briefings.tallies(), store.briefings.countTextless()),
        news: store.news.count(),
      };
    const wanted = store.briefings.countWanted();
    const all = counted.tally.all;
    return {
      briefings: counted.tally,
      news: counted.news,
      version,
      filling: filling.isFilling() && wanted > 0 ? { done: all - wanted, of: all } : null,
      complete: wanted === 0 && store.fact('briefings_walked') === 'yes',
      problem: filling.problem() ?? upkeep.problem() ?? files.problem(),
      bytes: store.bytes(),
      retention: retention(),
      ...upkeep.face(),
    };
  };
  const read = (): ArchiveFace => {
    if (absent !== null) return emptyFace(absent, retention(), version);
    try {
      return rooms().files.use(faceOf);
    } catch (thrown) {
      return emptyFace(wordsOf(thrown), retention(), version);
    }
  };
  return {
    read,
    changed() {
      version += 1;
      cancelPush ??= clock.after(GATHER, () => {
        cancelPush = null;
        if (!isStopped) onChanged(read());
      });
    },
    stop() {
      isStopped = true;
      cancelPush?.();
    },
  };
}

/** From one row per type, author and marks. Types and authors by name. */
function tallyOf(rows: readonly TallyRow[], textless: number): Briefings {
  const sum = (wanted: (row: TallyRow) => boolean): number =>
    rows.reduce((total, row) => (wanted(row) ? total + row.count : total), 0);
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

const emptyFace = (problem: string | null, retention: Retention, version: number): ArchiveFace => ({
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
