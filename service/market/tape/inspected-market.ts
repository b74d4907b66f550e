// Service, market, tape: answers which closed bars of a tape are known at an instant.
// Pure in time while the tape is unchanged.
import { nextClose } from '../../../shared/domain/sessions.ts';
import { dateOf } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';
import { inOneTurn, type Steps } from '../../steps.ts';
import type { ChangingPast, ClosedDay, PriceFault, PriceHole } from '../types.ts';
import { evidenceAgainst, type FaultKind, type MoveContext } from './evidence.ts';
import { gapText, quarantineText } from './fault-text.ts';
import { atLevelBefore, levelOfDay } from './inspect.ts';
import type { Hole, InspectedSymbol } from './inspected-symbol.ts';
import { canSplit, Inspections, type TapeListing } from './inspections.ts';
import type { Tape } from './tape.ts';

/** A finding about one bar. */
export interface Finding {
  readonly symbol: string;
  readonly date: string;
  readonly kind: 'quarantine' | 'gap';
  readonly note: string;
}

/** A quarantined price. */
export interface PriceQuestion {
  readonly symbol: string;
  readonly kind: FaultKind;
  /** The last bar that counts, and the first quarantined bar. */
  readonly before: Bar;
  readonly bar: Bar;
}

export interface InspectedMarket {
  /** Inspects the bars again after a change of the tape. */
  inspect(): void;
  /** Like `inspect`, in steps. Queries keep the previous result until the last step. */
  inspectInSteps(): Steps<void>;
  /** All findings, in order of symbol and date. */
  findings(): Finding[];
  closedDays(after: (symbol: string) => string | null, now: number): Iterable<ClosedDay>;
  nextClose(symbol: string, now: number): number | null;
  fault(symbol: string, now: number): PriceFault | null;
  holes(symbol: string, now: number): PriceHole[];
  /** The bars of a symbol that count at `now`, oldest first. */
  daily(symbol: string, now: number): readonly Bar[];
  /** The quarantined prices at `now`. */
  questions(now: number): Iterable<PriceQuestion>;
  /** Missing sessions between the bars that count at `now` and a later date. */
  missingBefore(symbol: string, date: string, now: number): number;
  /** Level of the forming day over that of the bars counting at `now`; 1 without a split or dividend. */
  levelOf(symbol: string, forming: Bar, now: number): number;
  /** Whether the forming day looks like a change of level (jump), or like a spike of its last price. */
  isSuspect(symbol: string, forming: Bar, now: number): 'jump' | 'spike' | null;
  readonly revisions: ChangingPast;
}

const NONE: readonly Bar[] = [];

export function createInspectedMarket(tape: Tape, listings: ReadonlyMap<string, TapeListing>): InspectedMarket {
  const inspections = new Inspections(tape, listings);
  const inspectedOf = (symbol: string): InspectedSymbol | undefined => inspections.symbols.get(symbol);

  const levelOf = (symbol: string, forming: Bar, now: number): number => {
    const before = inspectedOf(symbol)?.daily(now).at(-1);
    // The day's own close may already be known; then all bars have its level.
    if (before === undefined || before.date >= forming.date) return 1;
    return levelOfDay(tape.barActions(symbol, forming.date, before.date), before, forming);
  };

  return {
    inspect: () => inOneTurn(inspections.inspectInSteps()),
    inspectInSteps: () => inspections.inspectInSteps(),
    findings: () => [...inspections.symbols].flatMap(([symbol, inspected]) => findingsOf(symbol, inspected)),

    *closedDays(after, now) {
      // The tape may change before the caller reads the last day.
      const present = inspections.symbols;
      const from = new Map([...present.keys()].map((symbol) => [symbol, after(symbol) ?? '']));
      const dates = [...present].flatMap(([symbol, one]) => one.datesAfter(from.get(symbol) ?? '') ?? []);
      const [first, last] = [
        Math.min(...dates.map(([date]) => yearOf(date))),
        Math.max(...dates.map(([, date]) => yearOf(date))),
      ];
      // Year by year, so that a caller can yield to the event loop between days.
      for (let year = first; year <= last; year++) yield* closedIn(year, present, from, now);
    },

    nextClose(symbol, now) {
      const listed = listings.get(symbol);
      if (listed === undefined) return null;
      return inspectedOf(symbol)?.nextClose(now) ?? nextClose(listed.calendar, now);
    },

    fault(symbol, now) {
      const inspected = inspectedOf(symbol);
      const status = tape.status(symbol, dateOf(now));
      if (status?.kind === 'delisting')
        return { kind: 'unlisted', reason: `${symbol} trades no longer since ${status.date}${noteOf(status.note)}` };
      if (status?.kind === 'halt')
        return { kind: 'halted', reason: `Trading in ${symbol} is halted since ${status.date}${noteOf(status.note)}` };
      if (inspected === undefined) return null;
      const held = inspected.quarantine(now);
      if (held !== null) {
        const found = { ...held.quarantine, outcome: null };
        return { kind: 'quarantined', reason: quarantineText(symbol, held.bar.date, found, null) ?? '' };
      }
      const hole = inspected.gap(now);
      return hole === null ? null : { kind: 'gap', reason: gapText(symbol, hole.bar.date, hole.gap.sessions) };
    },

    holes: (symbol, now) =>
      [...(inspectedOf(symbol)?.holes(now) ?? [])]
        .map((hole) => ({ kind: hole.kind, from: hole.from, to: hole.to, reason: `${holeText(symbol, hole)}.` }))
        .sort((a, b) => a.from - b.from),

    daily: (symbol, now) => inspectedOf(symbol)?.daily(now) ?? NONE,

    *questions(now) {
      for (const [symbol, inspected] of inspections.symbols) {
        const held = inspected.quarantine(now);
        const before = held === null ? undefined : inspected.daily(now).at(-1);
        if (held !== null && before !== undefined) yield { symbol, kind: held.quarantine.kind, before, bar: held.bar };
      }
    },

    missingBefore: (symbol, date, now) => inspectedOf(symbol)?.missingBefore(date, now) ?? 0,

    levelOf,

    isSuspect(symbol, forming, now) {
      const inspected = inspectedOf(symbol);
      const before = inspected?.daily(now).at(-1);
      const listing = listings.get(symbol);
      if (listing === undefined || inspected === undefined || before === undefined) return null;
      const actions = tape.barActions(symbol, forming.date, before.date);
      if (actions?.decision === 'real') return null;
      const context: MoveContext = {
        usual: inspected.usual(now),
        splits: canSplit(listing.instrument),
        jumps: !listing.instrument.inputOnly,
        sessions: 1,
        marketMove: () => 0,
        isClosed: false,
      };
      // An announced split that looks like one waits for the close, which adjusts the earlier closes.
      if (actions?.factor !== undefined && suspicionOf(before, forming, context) === 'jump') return 'jump';
      return suspicionOf(before, atLevelBefore(forming, levelOf(symbol, forming, now)), context);
    },

    revisions: {
      version: () => inspections.version,
      changedSince: (version) => tape.changedSince(version),
      nextChange: (from, to) => inspections.changes.find((at) => at > from && at <= to) ?? null,
    },
  };
}

function suspicionOf(before: Bar, forming: Bar, context: MoveContext): 'jump' | 'spike' | null {
  const found = evidenceAgainst(before, forming, context);
  // A forming day has only part of its volume, so a small volume is no evidence.
  const withoutVolume = found === null ? null : evidenceAgainst(before, { ...forming, volume: null }, context);
  if (found === null || withoutVolume === null) return null;
  return withoutVolume.kind === 'spike' ? 'spike' : 'jump';
}

interface DayPart {
  readonly at: number;
  readonly date: string;
  readonly closesAt: Map<string, number>;
  readonly bars: Map<string, Bar>;
}

const yearOf = (date: string): number => Number(date.slice(0, 4));

/** The closed days of one year, in order of closing. No close of a year comes after one of the next year. */
function closedIn(
  year: number,
  symbols: ReadonlyMap<string, InspectedSymbol>,
  from: ReadonlyMap<string, string>,
  now: number,
): ClosedDay[] {
  const parts = new Map<string, DayPart>();
  const [eve, end] = [`${year - 1}-12-31`, `${year}-12-31`];
  for (const [symbol, inspected] of symbols) {
    const last = from.get(symbol) ?? '';
    for (const { bar, closedAt } of inspected.known([last, eve].toSorted()[1] ?? eve, end, now)) {
      const key = `${closedAt} ${bar.date}`;
      let part = parts.get(key);
      if (part === undefined) {
        part = { at: closedAt, date: bar.date, closesAt: new Map(), bars: new Map() };
        parts.set(key, part);
      }
      part.closesAt.set(symbol, closedAt);
      part.bars.set(symbol, bar);
    }
  }
  return [...parts.values()].sort((a, b) => a.at - b.at || (a.date < b.date ? -1 : 1));
}

const noteOf = (note: string | null): string => (note === null ? '' : `: ${note}`);

const holeText = (symbol: string, hole: Hole): string =>
  hole.kind === 'gap'
    ? gapText(symbol, hole.bar.date, hole.sessions)
    : (quarantineText(symbol, hole.bar.date, hole.quarantine, hole.by) ?? '');

function findingsOf(symbol: string, { bars, inspection }: InspectedSymbol): Finding[] {
  const dateAt = (index: number): string => (bars[index] as Bar).date;
  const found: Finding[] = [];
  for (const quarantine of inspection.quarantines) {
    const date = dateAt(quarantine.from);
    const by = quarantine.until === null ? null : dateAt(quarantine.until);
    const note = quarantineText(symbol, date, quarantine, by);
    if (note !== null) found.push({ symbol, date, kind: 'quarantine', note });
  }
  for (const { index, sessions } of inspection.gaps)
    found.push({ symbol, date: dateAt(index), kind: 'gap', note: gapText(symbol, dateAt(index), sessions) });
  return found.sort((a, b) => (a.date < b.date ? -1 : 1));
}
