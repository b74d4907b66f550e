// Renderer, pure: groups a symbol's transitions into episodes, each from Normal back to Normal.
import type { InboxRow } from '../../../shared/channels/alerting.ts';
import { type Episode, MAX_OPEN_EPISODES, type OpenEpisode } from '../../../shared/channels/queries.ts';
import type { State } from '../../../shared/domain/states.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';

/** An interval in one state, ms of world time. */
export interface EpisodeSegment {
  /** null: before the first transition that was read. */
  readonly state: State | null;
  readonly from: number;
  /** null: until now. */
  readonly to: number | null;
}

/** A line of the list: an episode or a single transition. */
export interface Entry {
  /** The ledger id of its subject. */
  readonly id: number;
  /** The transition that represents it: the last one into its peak, as far as the ledger has it. */
  readonly subject: InboxRow;
  /** All its transitions, oldest first. */
  readonly rows: readonly InboxRow[];
  /** Its highest state. */
  readonly peak: State;
  /** The peak is older than the ledger: the service names it, and `subject` is of a lower state. */
  readonly isPeakOlder?: boolean;
  /** The state now; null once it is over. */
  readonly present: State | null;
  readonly segments: readonly EpisodeSegment[];
  /** null: before the oldest row, and the service does not say when. */
  readonly from: number | null;
  /** It began before the service's log: `from` is from the closes. */
  readonly isBeforeLog?: boolean;
  /** null: still active. */
  readonly to: number | null;
}

const timeOf = ({ alert }: InboxRow): number => Date.parse(alert.transition.occurred_at);
const stateOf = ({ alert }: InboxRow): State => alert.transition.to_state;

/**
 * The episodes, newest first by last transition. Returns to Normal alone are left out.
 * @param rows newest first
 * @param known the service's episodes, to complete those that the ledger has only in part
 */
export function episodesOf(rows: readonly InboxRow[], known: readonly Episode[] = []): Entry[] {
  const open = new Map<string, InboxRow[]>();
  const done: { readonly rows: readonly InboxRow[]; readonly end: number | null; readonly isGuess?: boolean }[] = [];
  for (const row of [...rows].reverse()) {
    const { symbol, from_state: from, to_state: to } = row.alert.transition;
    const before = open.get(symbol);
    // A symbol that leaves Normal begins an episode, even if its previous return was never received.
    if (before !== undefined && from === 0) {
      done.push({ rows: before, end: timeOf(row), isGuess: true });
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
  return done
    .map(({ rows: own, end, isGuess = false }) => {
      const entry = episode(own, end);
      return entry.from === null || isGuess ? completed(entry, known) : entry;
    })
    .sort((a, b) => lastTime(b) - lastTime(a) || b.id - a.id);
}

function episode(rows: readonly InboxRow[], end: number | null): Entry {
  const risen = rows.filter((row) => stateOf(row) > 0);
  const peak = Math.max(...risen.map(stateOf)) as State;
  const subject = risen.findLast((row) => stateOf(row) === peak) as InboxRow;
  const [first] = rows;
  return {
    id: subject.alert.ledger_id,
    subject,
    rows,
    peak,
    present: end === null ? stateOf(risen.at(-1) as InboxRow) : null,
    segments: risen.map((row, index) => ({
      state: stateOf(row),
      from: timeOf(row),
      to: index + 1 < rows.length ? timeOf(rows[index + 1] as InboxRow) : end,
    })),
    from: first === undefined || first.alert.transition.from_state > 0 ? null : timeOf(first),
    to: end,
  };
}

/** Completes an episode whose beginning or end is not in the ledger, from the service's record of it. */
function completed(entry: Entry, known: readonly Episode[]): Entry {
  const ids = new Set(entry.rows.map(({ alert }) => alert.transition.event_id));
  const { symbol, occurred_at: at } = (entry.rows[0] as InboxRow).alert.transition;
  const own = known.filter((one) => one.symbol === symbol);
  const found =
    own.find(({ transitions }) => transitions.some((id) => ids.has(id))) ??
    own.find(({ started_at, ended_at }) => started_at <= at && (ended_at === null || at <= ended_at));
  if (found === undefined) return entry;
  const isPeakOlder = found.peak_state > entry.peak;
  const from = Date.parse(found.started_at);
  const to = found.ended_at === null ? entry.to : Date.parse(found.ended_at);
  return {
    ...entry,
    from,
    ...(found.ended_at === null ? {} : { to, present: null }),
    segments: segmentsWithin(entry.segments, from, to),
    ...(isPeakOlder ? { peak: found.peak_state, isPeakOlder } : {}),
    ...(found.before_log === true ? { isBeforeLog: true } : {}),
  };
}

/** The segments of an episode that began at `from` and ended at `to`; null: it is still active. */
function segmentsWithin(segments: readonly EpisodeSegment[], from: number, to: number | null): EpisodeSegment[] {
  const [first] = segments;
  const last = segments.length - 1;
  const known = segments.map((one, index) => (index === last ? { ...one, to } : one));
  return first !== undefined && from < first.from ? [{ state: null, from, to: first.from }, ...known] : known;
}

/** The entries without a beginning, which only the service knows: when they were open; null: none. */
export function incompleteIn(entries: readonly Entry[]): { readonly open: OpenEpisode[] } | null {
  const open = entries
    .filter(({ from }) => from === null)
    .map((entry) => ({ symbol: entry.subject.alert.transition.symbol, at: timestamp(startOf(entry)) }))
    // The same request while nothing else is incomplete.
    .sort((a, b) => (a.symbol + a.at < b.symbol + b.at ? -1 : 1));
  return open.length === 0 ? null : { open: open.slice(0, MAX_OPEN_EPISODES) };
}

/** A single transition as a line of the list. */
export function transitionEntry(row: InboxRow): Entry {
  const [from, to] = [timeOf(row), row.ended === null ? null : Date.parse(row.ended.at)];
  return {
    id: row.alert.ledger_id,
    subject: row,
    rows: [row],
    peak: stateOf(row),
    present: to === null ? stateOf(row) : null,
    segments: [{ state: stateOf(row), from, to }],
    from,
    to,
  };
}

const lastTime = ({ rows }: Entry): number => timeOf(rows.at(-1) as InboxRow);

/** The beginning of an entry; if it is unknown, its first known transition. */
export const startOf = ({ from, rows }: Entry): number => from ?? timeOf(rows[0] as InboxRow);
