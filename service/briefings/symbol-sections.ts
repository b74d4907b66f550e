// Service, briefings: the sections about one symbol that several types of briefing share.
// A section without content is null.
import { stateLabel } from '../../shared/domain/states.ts';
import type { RegimeRecord } from '../../shared/wire/regime.ts';
import { priceText } from '../signals/notes.ts';
import { COLUMNS, DIMENSION_COLUMNS } from './columns.ts';
import type { BriefingDay, SymbolSnapshot } from './context.ts';
import { type Block, type Section, sectionOf } from './draft.ts';
import { type Column, columnsOf, points, regimeText, shortDay, tally, wholePercent } from './format.ts';
import { comovement, dimensionRanks, type Range, rangeOf, riskShares, statesOf } from './measures.ts';
import type { HoldOut } from './record.ts';

/** The dimensions of the subject's risk score, then those at an extreme of its past 90 days. */
export const factors: Block = (_context, subject) => {
  const shares = riskShares(subject);
  const extreme = dimensionRanks(subject).filter(({ rank }) => rank >= 0.97 || rank <= 0.03);
  const shown = new Map([...shares, ...extreme].map((rank) => [rank.dimension.code, rank]));
  return dimensionTable(`What drives ${subject.symbol}`, [...shown.values()]);
};

/** All dimensions of the subject. */
export const dimensions: Block = (_context, subject) =>
  dimensionTable(`The twelve dimensions of ${subject.symbol}`, dimensionRanks(subject));

function dimensionTable(heading: string, rows: ReturnType<typeof dimensionRanks>): Section | null {
  const { name, power, rank, change, share } = DIMENSION_COLUMNS;
  const note = 'A minus in the share of risk lowers it.';
  return sectionOf(heading, [name, power, rank, change, share], rows, note);
}

/** A symbol with its hold-out record. */
export interface Recorded {
  readonly snapshot: SymbolSnapshot;
  readonly held: HoldOut;
}

/** The hold-out records of symbols. */
export function recordTable(rows: readonly Recorded[]): Section | null {
  const columns: Column<Recorded>[] = [
    ...columnsOf(({ snapshot }: Recorded) => snapshot, COLUMNS.symbol),
    ['>Signals', ({ held }) => String(held.signals)],
    ['>Precision', ({ held }) => (held.signals === 0 ? 'n/a' : wholePercent(held.precision))],
    ['>Falls', ({ held }) => String(held.events)],
    ['>Recall', ({ held }) => (held.events === 0 ? 'n/a' : wholePercent(held.recall))],
    ['>Closes', ({ held }) => String(held.bars)],
    ...columnsOf(({ snapshot }: Recorded) => snapshot, COLUMNS.eventRate),
  ];
  // Where prices are intraday, alerts occur within the day, and this record is not theirs.
  const within = rows.some(({ snapshot }) => snapshot.forming)
    ? ' Alerts within the day have a record of their own.'
    : '';
  return sectionOf(
    'The record',
    columns,
    rows,
    `High Risk at the close in the hold-out window. Precision is the share of signals that the fall followed, recall the share of falls that were announced. A fall already under way counts, so both are too high.${within}`,
  );
}

/** The precision of High Risk at closes on the subject in the hold-out window. */
export const record: Block = (context, snapshot) => {
  const held = context.record(snapshot.symbol);
  return held === null ? null : recordTable([{ snapshot, held }]);
};

/** The subject compared with its past 90 days. */
export const ninetyDays: Block = (_context, subject) => {
  const range = rangeOf(subject);
  const { sessions, entries } = statesOf(subject);
  const columns: Column<Range>[] = [
    ['>Lowest close', ({ low }) => `${priceText(low.price)} on ${shortDay(low.date)}`],
    ['>Highest close', ({ high }) => `${priceText(high.price)} on ${shortDay(high.date)}`],
    ['>In this range', ({ position }) => wholePercent(position)],
  ];
  const spent: Column<Range>[] = [
    ['>Normal', () => String(sessions[0])],
    ['>Elevated', () => String(sessions[1])],
    ['>High Risk', () => String(sessions[2])],
    ['>High Risk began', () => String(entries)],
  ];
  const all = subject.instrument.regimeOnly ? columns : [...columns, ...spent];
  return sectionOf(`${subject.symbol} over 90 days`, all, range === null ? [] : [range]);
};

/** The price of the subject and its moves. */
export const moves: Block = (_context, subject) => {
  const { price, day, week, month, usual, drawdown, breach } = COLUMNS;
  return sectionOf(`The price of ${subject.symbol}`, [price, day, week, month, usual, drawdown, breach], [subject]);
};

/** The returns of the subject beside those of the broad market. */
export const besideLead: Block = ({ lead }, subject) => {
  const found = subject === lead ? null : comovement(subject, lead);
  const columns: Column<NonNullable<typeof found>>[] = [
    ['>Correlation of daily returns', ({ correlation }) => correlation.toFixed(2)],
    [`>Return with 1 % of ${lead.symbol}`, ({ slope }) => `${slope.toFixed(2)} %`],
    ['>Common sessions', ({ days }) => String(days)],
  ];
  return sectionOf(`Beside ${lead.symbol}`, columns, found === null ? [] : [found]);
};

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(10 * value) / 10);

/** The changes of state of the subject from close to close. */
export const stateChanges: Block = (_context, { symbol, days }) => {
  const rows = days.flatMap((day, index) => {
    const before = days[index - 1];
    return before === undefined || before.state === day.state ? [] : { day, before };
  });
  const columns: Column<{ readonly day: BriefingDay; readonly before: BriefingDay }>[] = [
    ['Close', ({ day }) => shortDay(day.reading.date)],
    ['From', ({ before }) => stateLabel(before.state)],
    ['To', ({ day }) => stateLabel(day.state)],
    ['>Price', ({ day }) => priceText(day.reading.close)],
    [
      '>Confidence',
      ({ day }) => points(day.state === day.reading.state ? rounded(day.reading.confidence) : day.announced),
    ],
  ];
  return sectionOf(`Changes of ${symbol} from close to close`, columns, rows.slice(-6));
};

/** "39 % of the way to a breach at 438.54", "past its breach level of 438.54"; null without a level. */
export function distanceToBreach({ reading }: SymbolSnapshot): string | null {
  const { drawdownFraction, breachLevel } = reading;
  if (drawdownFraction === null || breachLevel === null) return null;
  const share = Math.round(100 * drawdownFraction);
  return share >= 100
    ? `past its breach level of ${priceText(breachLevel)}`
    : `${share} % of the way to a breach at ${priceText(breachLevel)}`;
}

/** "Calm Uptrend", with the candidate regime and its missing closes if there is one. */
export function regimeSentence(record: RegimeRecord | null): string {
  if (record === null) return regimeText(null);
  const { candidate } = record;
  if (candidate === null || candidate === undefined) return record.label;
  const closes = tally(candidate.closes_needed, 'close');
  const needs =
    candidate.waits_for === 'normal_state'
      ? 'Stress lasts until the state is Normal'
      : candidate.waits_for === 'closes'
        ? `${closes} to go`
        : `${closes} to go at least`;
  return `${record.label} since ${shortDay(record.since.slice(0, 10))}; the data favour ${candidate.label} (${points(candidate.confidence)}, ${needs})`;
}
