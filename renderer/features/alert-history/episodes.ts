// Renderer, pure: transitions of a symbol put together: an episode goes from leaving Normal to being back.
import type { InboxRow } from '../../../shared/channels/alerting.ts';
import type { State } from '../../../shared/domain/states.ts';

/** An interval in one state, ms of world time. */
export interface EpisodeSegment {
  readonly state: State;
  readonly from: number;
  /** null: until now. */
  readonly to: number | null;
}

/** What one line of the list speaks of: a whole episode, or a single transition. */
export interface Entry {
  /** The ledger id of its subject. */
  readonly id: number;
  /** The transition that it is known by: the present one while it is open, else the one into its peak. */
  readonly subject: InboxRow;
  /** Every transition of it, oldest first. */
  readonly rows: readonly InboxRow[];
  /** Its highest state, and the one that it is or was last in before Normal. */
  readonly peak: State;
  readonly segments: readonly EpisodeSegment[];
  /** null: before what is listed. */
  readonly from: number | null;
  /** null: it stands. */
  readonly to: number | null;
}

const timeOf = ({ alert }: InboxRow): number => Date.parse(alert.transition.occurred_at);
const stateOf = ({ alert }: InboxRow): State => alert.transition.to_state;

/** @param rows newest first. Episodes come newest first too, by their last transition; those of Normal alone are none. */
export function episodesOf(rows: readonly InboxRow[]): Entry[] {
  const open = new Map<string, InboxRow[]>();
  const done: { readonly rows: readonly InboxRow[]; readonly end: number | null }[] = [];
  for (const row of [...rows].reverse()) {
    const { symbol, from_state: from, to_state: to } = row.alert.transition;
    const before = open.get(symbol);
    // A symbol that comes out of Normal begins anew, also where its return was never received.
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

/** When it is listed as having begun: its first transition that is known. */
export const startOf = ({ from, rows }: Entry): number => from ?? timeOf(rows[0] as InboxRow);
