// Renderer, pure: how one thing heard changes the state of a window. No clock, no I/O: times come with the event.
import {
  ALERTS_KEPT,
  type Alert,
  type Change,
  newestFirst,
  type Row,
  type Snapshot,
} from '../../shared/channels/state.ts';
import type { Transition } from '../../shared/wire/records.ts';
import { worldTime } from './select.ts';
import type { Announcement, AppState, Board, Shelf, Shelves, Slot, WholeName, Wholes } from './state.ts';

export type Heard =
  | { readonly kind: 'link'; readonly up: boolean; readonly at: number }
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot; readonly at: number }
  | { readonly kind: 'changes'; readonly changes: readonly Change[]; readonly at: number }
  /** The link is over for good; the message says what to do. */
  | { readonly kind: 'ended'; readonly message: string }
  /** The user chose a symbol in this window. */
  | { readonly kind: 'selected'; readonly symbol: string }
  /** A call was refused; null when a later one succeeded. */
  | { readonly kind: 'problem'; readonly message: string | null }
  | {
      readonly kind: 'reading.begun';
      readonly shelf: Shelf;
      readonly key: string /** null: it will be over at once. */;
      readonly progress: number | null;
    }
  | ReadingDone
  | WholeHeard
  | { readonly kind: 'reading.failed'; readonly shelf: Shelf; readonly key: string; readonly message: string }
  | { readonly kind: 'spoken'; readonly id: string };

type ReadingDone = {
  [Name in Shelf]: {
    readonly kind: 'reading.done';
    readonly shelf: Name;
    readonly key: string;
    readonly value: Shelves[Name];
  };
}[Shelf];

type WholeHeard = {
  [Name in WholeName]: { readonly kind: 'whole'; readonly name: Name; readonly value: Wholes[Name] };
}[WholeName];

/** How many answers are kept; the one asked longest ago goes first. */
const ANSWERS_KEPT = 120;

/** @param at this computer's time of arrival, ms since the epoch, in the events that carry it */
export function reduce(state: AppState, heard: Heard): AppState {
  switch (heard.kind) {
    case 'link':
      return takeLink(state, heard.up ? 'up' : state.board === null ? 'waiting' : 'down', heard.at);
    case 'snapshot':
      return takeSnapshot(state, heard.snapshot, heard.at);
    case 'changes':
      return state.board === null
        ? state
        : heard.changes.reduce((next, change) => apply(next, change, heard.at), state);
    case 'selected':
      return state.board === null || state.board.selected === heard.symbol
        ? state
        : { ...state, board: { ...state.board, selected: heard.symbol } };
    case 'ended':
      return { ...state, ended: heard.message };
    case 'problem':
      return state.problem === heard.message ? state : { ...state, problem: heard.message };
    case 'reading.begun':
      return withSlot(state, heard, { status: 'reading', problem: null, progress: heard.progress });
    case 'reading.done':
      return withSlot(state, heard, { status: 'ready', value: heard.value, problem: null, progress: null });
    case 'reading.failed':
      return withSlot(state, heard, { status: 'failed', problem: heard.message, progress: null });
    case 'whole':
      return { ...state, wholes: { ...state.wholes, [heard.name]: heard.value } };
    case 'spoken':
      return { ...state, announcements: state.announcements.filter((announcement) => announcement.id !== heard.id) };
  }
}

function takeLink(state: AppState, link: AppState['link'], at: number): AppState {
  return state.link === link && state.linkSince !== null ? state : { ...state, link, linkSince: at };
}

function takeSnapshot(state: AppState, snapshot: Snapshot, at: number): AppState {
  const { number: _number, rows, alerts, ...rest } = snapshot;
  const board: Board = {
    ...rest,
    selected: state.board === null ? rest.selected : state.board.selected,
    anchoredAt: at,
    rows: bySymbol({}, rows),
    alerts: mergeAlerts([], alerts),
    epoch: (state.board?.epoch ?? 0) + 1,
    returns: (state.board?.returns ?? 0) + 1,
  };
  // The first snapshot tells nothing new; a later one may hold what was missed while the link was down.
  const missed = state.board === null ? [] : highRiskAnnouncements(state.board, alerts);
  const blindness = blindAnnouncements(state.board, board);
  return {
    ...state,
    link: 'up',
    problem: null,
    board,
    announcements: [...state.announcements, ...missed, ...blindness],
  };
}

function apply(state: AppState, change: Change, at: number): AppState {
  const board = state.board;
  if (board === null) return state;
  switch (change.part) {
    case 'rows':
      return { ...state, board: { ...board, rows: bySymbol(board.rows, change.rows) } };
    case 'alerts':
      return {
        ...state,
        board: { ...board, alerts: mergeAlerts(board.alerts, change.alerts) },
        announcements: [...state.announcements, ...highRiskAnnouncements(board, change.alerts)],
      };
    case 'connection': {
      const { connection } = change;
      const sightIsBack = board.connection.blind !== null && connection.blind === null;
      const next = {
        ...board,
        connection,
        anchoredAt: at,
        epoch: board.epoch + (sightIsBack ? 1 : 0),
        returns: board.returns + (sightIsBack || answersAgain(board.connection, connection) ? 1 : 0),
      };
      return { ...state, board: next, announcements: [...state.announcements, ...blindAnnouncements(board, next)] };
    }
    case 'profile':
      return { ...state, board: { ...board, profile: change.profile } };
    case 'watchlists':
      return { ...state, board: { ...board, watchlists: change.watchlists } };
    case 'gaps':
      return { ...state, board: { ...board, gaps: change.gaps } };
    case 'ledger':
      return { ...state, board: { ...board, ledger: change.ledger } };
    case 'notifier':
      return { ...state, board: { ...board, notifier: change.notifier } };
  }
}

/** The service can be asked again, also where sight was never lost. */
const answersAgain = ({ lamps: before }: Board['connection'], { lamps: after }: Board['connection']): boolean =>
  (['open', 'verified'] as const).some((name) => before[name].state !== 'lit' && after[name].state === 'lit');

function bySymbol(rows: Readonly<Record<string, Row>>, changed: readonly Row[]): Record<string, Row> {
  return { ...rows, ...Object.fromEntries(changed.map((row) => [row.symbol, row])) };
}

/**
 * Merges by event_id, newest occurrence first: the newest ALERTS_KEPT, and what stands of watched symbols however old it is. Of an alert that is told again,
 * because something became of it, the transition stays the same object: who draws transitions alone has nothing to draw.
 */
export function mergeAlerts(kept: readonly Alert[], changed: readonly Alert[]): readonly Alert[] {
  const byId = new Map(kept.map((alert) => [alert.transition.event_id, alert]));
  for (const alert of changed) {
    const before = byId.get(alert.transition.event_id)?.transition;
    byId.set(
      alert.transition.event_id,
      before !== undefined && isSame(before, alert.transition) ? { ...alert, transition: before } : alert,
    );
  }
  const seen = new Set<string>();
  return [...byId.values()].sort(newestFirst).filter(({ transition: { symbol, to_state: state }, watched }, place) => {
    const isNewest = !seen.has(symbol);
    seen.add(symbol);
    return place < ALERTS_KEPT || (isNewest && watched && state > 0);
  });
}

/** They hold words and numbers alone. */
const isSame = (a: Transition, b: Transition): boolean =>
  (Object.keys({ ...a, ...b }) as (keyof Transition)[]).every((name) => a[name] === b[name]);

/** High Risk of watched symbols that the window did not know yet. */
function highRiskAnnouncements(board: Board, changed: readonly Alert[]): Announcement[] {
  const ids = new Set(board.alerts.map((alert) => alert.transition.event_id));
  return changed
    .filter((alert) => alert.watched && alert.transition.to_state === 2 && !ids.has(alert.transition.event_id))
    .map((alert) => ({
      id: alert.transition.event_id,
      kind: 'high_risk',
      alert,
      baseRate: board.rows[alert.transition.symbol]?.signal?.base_rate ?? null,
    }));
}

function blindAnnouncements(before: Board | null, after: Board): Announcement[] {
  const blind = after.connection.blind;
  if (blind === null || before?.connection.blind?.since === blind.since) return [];
  return [
    {
      id: `blind ${blind.since}`,
      kind: 'blind',
      since: worldTime(after.connection.clock, after.anchoredAt, Date.parse(blind.since)),
      cause: blind.cause,
    },
  ];
}

/** What was read before stays until there is something better. */
function withSlot(
  state: AppState,
  { shelf, key }: { readonly shelf: Shelf; readonly key: string },
  slot: Omit<Slot<unknown>, 'value'> & { readonly value?: unknown },
): AppState {
  const { [key]: before, ...others } = state.shelves[shelf];
  const kept = shelf === 'answers' ? Object.fromEntries(Object.entries(others).slice(1 - ANSWERS_KEPT)) : others;
  return {
    ...state,
    shelves: { ...state.shelves, [shelf]: { ...kept, [key]: { value: before?.value ?? null, ...slot } } },
  };
}
