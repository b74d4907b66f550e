// Service, market, tape: answers which closed bars of a tape are known at an instant.
// Pure in time while the tape is unchanged.

import type { PriceAnswer, PriceDoubt } from '../../../shared/domain/price-questions.ts';
import { nextClose } from '../../../shared/domain/sessions.ts';
import { dateOf } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';
import { inOneTurn, type Steps } from '../../steps.ts';
import type { BarList } from '../bar-series.ts';
import type { ChangingPast, ClosedDay, PriceFault, PriceHole, PriceInQuestion } from '../types.ts';
import { type Doubt, doubtOf } from './evidence.ts';
import { gapText, questionText } from './fault-text.ts';
import type { AskedPrice, Hole, InspectedSymbol } from './inspected-symbol.ts';
import { canSplit, Inspections, type TapeListing } from './inspections.ts';
import { atLevelBefore, levelOfDay } from './price-levels.ts';
import type { Tape } from './tape.ts';
import type { TapeAction } from './tape-action.ts';

/** A finding about one bar. */
export interface Finding {
  readonly symbol: string;
  readonly date: string;
  readonly kind: 'quarantine' | 'gap';
  readonly note: string;
}

/** A price in question without an answer. */
export interface OpenQuestion {
  readonly symbol: string;
  readonly doubt: PriceDoubt;
  readonly bar: Bar;
  /** The close before it, at its level. */
  readonly before: Pick<Bar, 'date' | 'close'>;
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
  /** As `MarketSource.question`. */
  question(symbol: string, now: number, date?: string): PriceInQuestion | null;
  holes(symbol: string, now: number): PriceHole[];
  /** The bars of a symbol that count at `now`, oldest first. */
  daily(symbol: string, now: number): BarList;
  /** The prices in question without an answer at `now`. */
  questions(now: number): Iterable<OpenQuestion>;
  /** Missing sessions between the bars that count at `now` and a later date. */
  missingBefore(symbol: string, date: string, now: number): number;
  /** Level of the forming day over that of the bars counting at `now`; 1 without a split or dividend. */
  levelOf(symbol: string, forming: Bar, now: number): number;
  /** The fault that may explain the forming day; null: its prices look real. */
  doubt(symbol: string, forming: Bar, now: number): Doubt | null;
  /** What an action or a decision says about the forming day; null: nothing. */
  answer(symbol: string, forming: Bar, now: number): PriceAnswer | null;
  readonly revisions: ChangingPast;
}

const NONE: BarList = [];

export const createInspectedMarket = (...given: Parameters<typeof inspectMarketInSteps>): InspectedMarket =>
  inOneTurn(inspectMarketInSteps(...given));

/** @param reportsSplits whether the source reports splits, so that its silence is evidence */
export function* inspectMarketInSteps(
  tape: Tape,
  listings: ReadonlyMap<string, TapeListing>,
  reportsSplits: () => boolean = () => false,
): Steps<InspectedMarket> {
  const inspections = new Inspections(tape, listings, reportsSplits);
  yield* inspections.inspectInSteps();
  const inspectedOf = (symbol: string): InspectedSymbol | undefined => inspections.symbols.get(symbol);

  /** With a date: the one of that date. Else the open one that counts, else the newest open one. */
  const askedOf = (symbol: string, now: number, date?: string): AskedPrice | null => {
    const asked = [...(inspectedOf(symbol)?.asked(now) ?? [])];
    if (date !== undefined) return asked.find(({ bar }) => bar.date === date) ?? null;
    const open = asked.filter(({ question }) => question.answer === null);
    return open.find(({ question }) => question.countsAs === 'price') ?? open[0] ?? null;
  };

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

    // With the present symbols: the tape may change before the caller reads the last day.
    closedDays: (after, now) => closedDays(inspections.symbols, after, now),

    nextClose(symbol, now) {
      const listed = listings.get(symbol);
      if (listed === undefined) return null;
      return inspectedOf(symbol)?.nextClose(now) ?? nextClose(listed.calendar, now);
    },

    fault(symbol, now) {
      const inspected = inspectedOf(symbol);
      const stop = tradingStop(symbol, tape.status(symbol, dateOf(now)));
      if (stop !== null || inspected === undefined) return stop;
      const asked = askedOf(symbol, now);
      const isHeld = asked?.question.countsAs === 'no_price' && inspected.isHeld(now);
      if (asked !== null && (isHeld || asked.question.countsAs === 'price'))
        return { kind: isHeld ? 'quarantined' : 'question', reason: reasonOf(symbol, asked) };
      const hole = inspected.gap(now);
      return hole === null ? null : { kind: 'gap', reason: gapText(symbol, hole.bar.date, hole.gap.sessions) };
    },

    question(symbol, now, date) {
      const asked = askedOf(symbol, now, date);
      return asked === null ? null : inQuestion(symbol, asked);
    },

    holes: (symbol, now) =>
      [...(inspectedOf(symbol)?.holes(now) ?? [])]
        .map((hole) => ({ kind: hole.kind, from: hole.from, to: hole.to, reason: `${holeText(symbol, hole)}.` }))
        .sort((a, b) => a.from - b.from),

    daily: (symbol, now) => inspectedOf(symbol)?.daily(now) ?? NONE,

    questions: (now) => openQuestions(inspections.symbols, now),

    missingBefore: (symbol, date, now) => inspectedOf(symbol)?.missingBefore(date, now) ?? 0,

    levelOf,

    doubt(symbol, forming, now) {
      const inspected = inspectedOf(symbol);
      const before = inspected?.daily(now).at(-1);
      const listing = listings.get(symbol);
      if (listing === undefined || inspected === undefined || before === undefined) return null;
      if (tape.barActions(symbol, forming.date, before.date)?.decision === 'real') return null;
      return doubtOf(before, atLevelBefore(forming, levelOf(symbol, forming, now)), {
        usual: inspected.usual(now),
        splits: canSplit(listing.instrument),
        inputOnly: listing.instrument.inputOnly,
        reportsSplits: reportsSplits(),
        sessions: 1,
        marketMove: () => 0,
        isClosed: false,
      });
    },

    answer(symbol, forming, now) {
      const after = inspectedOf(symbol)?.daily(now).at(-1)?.date;
      const { decision, factor } = tape.barActions(symbol, forming.date, after) ?? {};
      if (decision !== undefined) return decision === 'real' ? 'price' : 'no_price';
      return factor === undefined ? null : 'split';
    },

    revisions: {
      version: () => inspections.version,
      changedSince: (version) => tape.changedSince(version),
      nextChange: (from, to) => inspections.changes.find((at) => at > from && at <= to) ?? null,
    },
  };
}

interface DayPart {
  readonly at: number;
  readonly date: string;
  readonly closesAt: Map<string, number>;
  readonly bars: Map<string, Bar>;
}

const yearOf = (date: string): number => Number(date.slice(0, 4));

/** Year by year, so that a caller can yield to the event loop between days. */
function* closedDays(
  symbols: ReadonlyMap<string, InspectedSymbol>,
  after: (symbol: string) => string | null,
  now: number,
): Generator<ClosedDay> {
  const from = new Map([...symbols.keys()].map((symbol) => [symbol, after(symbol) ?? '']));
  const dates = [...symbols].flatMap(([symbol, one]) => one.datesAfter(from.get(symbol) ?? '') ?? []);
  const first = Math.min(...dates.map(([date]) => yearOf(date)));
  const last = Math.max(...dates.map(([, date]) => yearOf(date)));
  for (let year = first; year <= last; year++) yield* closedIn(year, symbols, from, now);
}

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

function* openQuestions(symbols: ReadonlyMap<string, InspectedSymbol>, now: number): Generator<OpenQuestion> {
  for (const [symbol, inspected] of symbols)
    for (const { question, bar, after } of inspected.asked(now)) {
      const { kind: doubt, before: close, answer } = question;
      if (answer === null) yield { symbol, doubt, bar, before: { date: after, close } };
    }
}

/** null: trading goes on. */
function tradingStop(symbol: string, status: TapeAction | null): PriceFault | null {
  if (status === null) return null;
  const since = `since ${status.date}${status.note === null ? '' : `: ${status.note}`}`;
  if (status.kind === 'delisting') return { kind: 'unlisted', reason: `${symbol} trades no longer ${since}` };
  return status.kind === 'halt' ? { kind: 'halted', reason: `Trading in ${symbol} is halted ${since}` } : null;
}

function inQuestion(symbol: string, asked: AskedPrice): PriceInQuestion {
  const { before, close: price, kind: doubt, factor, volume, range, countsAs, answer } = asked.question;
  const found = { doubt, factor, volume, range, countsAs, answer };
  return { symbol, date: asked.bar.date, price, before, ...found, reason: reasonOf(symbol, asked) };
}

const reasonOf = (symbol: string, { question, bar, by }: AskedPrice): string =>
  questionText(symbol, bar.date, question, by) ?? '';

const holeText = (symbol: string, hole: Hole): string =>
  hole.kind === 'gap' ? gapText(symbol, hole.bar.date, hole.sessions) : reasonOf(symbol, hole);

function findingsOf(symbol: string, { bars, inspection }: InspectedSymbol): Finding[] {
  const dateAt = (index: number): string => (bars.at(index) as Bar).date;
  const found: Finding[] = [];
  for (const question of inspection.questions) {
    // Who decided by its date knows.
    if (question.settledBy === question.from) continue;
    const date = dateAt(question.from);
    const by = question.settledBy === null ? null : dateAt(question.settledBy);
    const note = questionText(symbol, date, question, by);
    if (note !== null) found.push({ symbol, date, kind: 'quarantine', note });
  }
  for (const { index, sessions } of inspection.gaps)
    found.push({ symbol, date: dateAt(index), kind: 'gap', note: gapText(symbol, dateAt(index), sessions) });
  return found.sort((a, b) => (a.date < b.date ? -1 : 1));
}
