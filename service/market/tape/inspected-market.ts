// Service, market, tape: the market of a tape: the closed bars known at each instant.
// Pure in time for an unchanged tape.
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

/** A price that is quarantined. */
export interface PriceQuestion {
  readonly symbol: string;
  readonly kind: FaultKind;
  /** The last bar that counts, and the first in question. */
  readonly before: Bar;
  readonly bar: Bar;
}

export interface InspectedMarket {
  /** Inspects the bars again, after the tape changed. */
  inspect(): void;
  /** As `inspect`, in steps. What is served changes with the last one. */
  inspecting(): Steps<void>;
  /** Everything found in all bars, in order of symbol and date. */
  findings(): Finding[];
  closedDays(after: (symbol: string) => string | null, now: number): Iterable<ClosedDay>;
  nextClose(symbol: string, now: number): number | null;
  fault(symbol: string, now: number): PriceFault | null;
  holes(symbol: string, now: number): PriceHole[];
  /** The bars of a symbol that count at `now`, oldest first. */
  daily(symbol: string, now: number): readonly Bar[];
  /** What is quarantined at `now`. */
  questions(now: number): Iterable<PriceQuestion>;
  /** Missing sessions between the bars that count at `now` and a later date. */
  missingBefore(symbol: string, date: string, now: number): number;
  /** New level over that of the bars that count at `now`, of a day in progress with a split or a dividend; 1 without. */
  levelOf(symbol: string, forming: Bar, now: number): number;
  /** Whether the day in progress looks like a split, or like a spike that only its last price shows. */
  isSuspect(symbol: string, forming: Bar, now: number): 'jump' | 'spike' | null;
  readonly revisions: ChangingPast;
}

const NONE: readonly Bar[] = [];

export function createInspectedMarket(tape: Tape, listings: ReadonlyMap<string, TapeListing>): InspectedMarket {
  const inspections = new Inspections(tape, listings);
  const inspectedOf = (symbol: string): InspectedSymbol | undefined => inspections.symbols.get(symbol);

  const levelOf = (symbol: string, forming: Bar, now: number): number => {
    const before = inspectedOf(symbol)?.daily(now).at(-1);
    // The close of the day itself may be there already, with the level of all.
    if (before === undefined || before.date >= forming.date) return 1;
    return levelOfDay(tape.barActions(symbol, forming.date, before.date), before, forming);
  };

  return {
    inspect: () => inOneTurn(inspections.inspecting()),
    inspecting: () => inspections.inspecting(),
    findings: () => [...inspections.symbols].flatMap(([symbol, inspected]) => findingsOf(symbol, inspected)),

    *closedDays(after, now) {
      // The tape may change before the last of them is read.
      const present = inspections.symbols;
      const from = new Map([...present.keys()].map((symbol) => [symbol, after(symbol) ?? '']));
      const dates = [...present].flatMap(([symbol, one]) => one.datesAfter(from.get(symbol) ?? '') ?? []);
      const [first, last] = [
        Math.min(...dates.map(([date]) => yearOf(date))),
        Math.max(...dates.map(([, date]) => yearOf(date))),
      ];
      // A year at a time, so that a caller that reads all of them can yield to the event loop.
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
      // A split that looks like one waits for its close, which has the closes before at its level.
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
  // Part of a day has part of its volume, so a small one says nothing.
  const withoutVolume = found === null ? null : evidenceAgainst(before, { ...forming, volume: null }, context);
  if (found === null || withoutVolume === null) return null;
  return withoutVolume.kind === 'spike' ? 'spike' : 'jump';
}

interface Part {
  readonly at: number;
  readonly date: string;
  readonly closesAt: Map<string, number>;
  readonly bars: Map<string, Bar>;
}

const yearOf = (date: string): number => Number(date.slice(0, 4));

/** The closed days of one year, in order of closing: no close of its dates is after one of the next year's. */
function closedIn(
  year: number,
  symbols: ReadonlyMap<string, InspectedSymbol>,
  from: ReadonlyMap<string, string>,
  now: number,
): ClosedDay[] {
  const parts = new Map<string, Part>();
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
