// Faults: a model of the journal in PostgreSQL: one head row, entries, locks of sessions, backups.
// It makes no mistakes of its own, except those of a mutant; cluster-simulation-network.ts adds the network.
import type { AppendResult, JournalEntry, JournalHead, NewEntry } from '../../service/cluster/journal.ts';
import type { ClusterMutant } from './cluster-simulation-mutants.ts';

export interface StoredEntry extends JournalEntry {
  /** The term that its writer claimed; null where any node may write. */
  readonly claimed: number | null;
}

interface Backup {
  readonly epoch: number;
  readonly worldTime: number;
  readonly entries: readonly StoredEntry[];
}

export interface JournalModel {
  head(): JournalHead;
  after(position: number, limit: number): readonly StoredEntry[];
  append(entry: NewEntry): AppendResult;
  /** @returns the new term; null while another session holds the lock */
  lead(session: number): number | null;
  lockLane(lane: number, session: number): boolean;
  holds(lane: number, session: number): boolean;
  leads(session: number): boolean;
  isLed(): boolean;
  /** Frees its locks. */
  endSession(session: number): void;
  endAllSessions(): void;
  backUp(): void;
  /** The newest backup, under another identity. @returns false where there is none */
  restore(): boolean;
  /** What a sequence has numbered and not committed yet. */
  commitLate(): void;
}

/** @param committed called when an entry is durable */
export function createJournalModel(
  mutant: ClusterMutant | null,
  committed: (entry: StoredEntry, logId: string) => void,
): JournalModel {
  let logNumber = 1;
  let epoch = 0;
  let worldTime = 0;
  let entries: StoredEntry[] = [];
  let late: StoredEntry[] = [];
  let sequence = 0;
  let backup: Backup | null = null;
  let leader: number | null = null;
  const lanes = new Map<number, number>();
  const logId = (): string => `log-${logNumber}`;
  const position = (): number => entries.at(-1)?.position ?? 0;
  const last = (): string => entries.at(-1)?.id ?? '';

  const write = (entry: NewEntry, at: number): void => {
    const stored = {
      id: entry.id,
      previous: entry.previous,
      position: at,
      epoch,
      claimed: entry.epoch,
      body: entry.body,
    };
    entries.push(stored);
    worldTime = entry.worldTime ?? worldTime;
    committed(stored, logId());
  };
  /** As a bigserial column: the number is taken first, and the commit comes when it comes. */
  const writeFromSequence = (entry: NewEntry): AppendResult => {
    sequence += 1;
    const stored = {
      id: entry.id,
      previous: entry.previous,
      position: sequence,
      epoch,
      claimed: entry.epoch,
      body: entry.body,
    };
    worldTime = entry.worldTime ?? worldTime;
    if (sequence % 3 === 0) late.push(stored);
    else entries.push(stored);
    committed(stored, logId());
    return 'appended';
  };

  return {
    head: () => ({ logId: logId(), epoch, position: position(), worldTime }),
    after: (from, limit) => entries.filter((entry) => entry.position > from).slice(0, limit),
    append(entry) {
      if (mutant === 'number-from-sequence') return writeFromSequence(entry);
      const isIn = entries.some(({ id }) => id === entry.id);
      if (isIn && mutant !== 'no-entry-id') return 'appended';
      if (entry.epoch !== null && entry.epoch !== epoch && mutant !== 'no-epoch') return 'deposed';
      const isNext = entry.after === position() && (entry.previous === last() || mutant === 'no-chain');
      if (!isNext && mutant !== 'no-compare-and-set') return 'behind';
      write(entry, position() + 1);
      return 'appended';
    },
    lead(session) {
      if (leader !== null && leader !== session) return null;
      leader = session;
      epoch += 1;
      return epoch;
    },
    lockLane(lane, session) {
      const holder = lanes.get(lane);
      if (holder === undefined) lanes.set(lane, session);
      return lanes.get(lane) === session;
    },
    holds: (lane, session) => lanes.get(lane) === session,
    leads: (session) => leader === session,
    isLed: () => leader !== null,
    endSession(session) {
      if (leader === session) leader = null;
      for (const [lane, holder] of lanes) if (holder === session) lanes.delete(lane);
    },
    endAllSessions() {
      leader = null;
      lanes.clear();
    },
    backUp() {
      backup = { epoch, worldTime, entries: [...entries] };
    },
    restore() {
      if (backup === null) return false;
      ({ epoch, worldTime } = backup);
      entries = [...backup.entries];
      late = [];
      sequence = position();
      if (mutant !== 'same-log-after-restore') logNumber += 1;
      leader = null;
      lanes.clear();
      return true;
    },
    commitLate() {
      entries = [...entries, ...late.splice(0)].sort((a, b) => a.position - b.position);
    },
  };
}
