// Renderer, pure: groups a symbol's transitions into episodes, from leaving Normal to returning to it.
import type { InboxRow } from '../../../shared/channels/alerting.ts';
import type { State } from '../../../shared/domain/states.ts';

/** An interval in one state, ms of world time. */
export interface EpisodeSegment {
  readonly state: State;
  readonly from: number;
  /** null: until now. */
  readonly to: number | null;
}

/** A line of the list: an episode or a single transition. */
export interface Entry {
  /** The ledger id of its subject. */
  readonly id: number;
  /** The transition that represents it: the current one while it is open, else the one into its peak. */
  readonly subject: InboxRow;
  /** All its transitions, oldest first. */
  readonly rows: readonly InboxRow[];
  /** Its highest state, and its current or last state before Normal. */
  readonly peak: State;
  readonly segments: readonly EpisodeSegment[];
  /** null: before the oldest row. */
  readonly from: number | null;
  /** null: still active. */
  readonly to: number | null;
}

const timeOf = ({ alert }: InboxRow): number => Date.parse(alert.transition.occurred_at);
const stateOf = ({ alert }: InboxRow): State => alert.transition.to_state;

/** Newest first, by last transition; episodes of Normal alone are left out. @param rows newest first */
export function episodesOf(rows: readonly InboxRow[]): Entry[] {
  const open = new Map<string, InboxRow[]>();
  const done: { readonly rows: readonly InboxRow[]; readonly end: number | null }[] = [];
  for (const row of [...rows].reverse()) {
    const { symbol, from_state: from, to_state: to } = row.alert.transition;
    const before = open.get(symbol);
    // A symbol that leaves Normal begins an episode, even if its previous return was never received.
    if (before !== undefined && from === 0) {
      done.push({ rows: before, end: timeOf(row) });
      open.delete(symbol);
    }
    const own = from === 0 ? undefined : before;
    if (to > 0) open.set(symbol, [...(own ?? []), row]);
    else if (own !== undefined) {
      done.push({ rows: [...own, row], end: timeOf(row) });
      open.delete(symbol);
    }
  }
  for (const left of open.values()) done.push({ rows: left, end: null });
  return done.map(({ rows: own, end }) => episode(own, end)).sort((a, b) => lastTime(b) - lastTime(a) || b.id - a.id);
}

function episode(rows: readonly InboxRow[], end: number | null): Entry {
  const risen = rows.filter((row) => stateOf(row) > 0);
  const peak = Math.max(...risen.map(stateOf)) as State;
  const subject = (end === null ? risen.at(-1) : risen.findLast((row) => stateOf(row) === peak)) as InboxRow;
  const [first] = rows;
  return {
    id: subject.alert.ledger_id,
    subject,
    rows,
    peak,
    segments: risen.map((row, index) => ({
      state: stateOf(row),
      from: timeOf(row),
      to: index + 1 < rows.length ? timeOf(rows[index + 1] as InboxRow) : end,
    })),
    from: first === undefined || first.alert.transition.from_state > 0 ? null : timeOf(first),
    to: end,
  };
}

/** A single transition as a line of the list. */
export function transitionEntry(row: InboxRow): Entry {
  const [from, to] = [timeOf(row), row.ended === null ? null : Date.parse(row.ended.at)];
  return {
    id: row.alert.ledger_id,
    subject: row,
    rows: [row],
    peak: stateOf(row),
    segments: [{ state: stateOf(row), from, to }],
    from,
    to,
  };
}

const lastTime = ({ rows }: Entry): number => timeOf(rows.at(-1) as InboxRow);

/** Its listed beginning: its first known transition. */
export const startOf = ({ from, rows }: Entry): number => from ?? timeOf(rows[0] as InboxRow);
