// Service, briefings: one symbol at length, on Wednesdays or on request.
import { stateLabel } from '../../shared/domain/states.ts';
import { priceText } from '../signals/notes.ts';
import type { Choice } from './choice.ts';
import { DIMENSION_COLUMNS } from './columns.ts';
import type { BriefingContext, SymbolSnapshot } from './context.ts';
import { type Draft, draftOf, type Section } from './draft.ts';
import { type Column, capital, moved, percent, points, shortDay, signed, table, times } from './format.ts';
import { comovement, dimensionRanks, moveOver, rangeOf, size, usualMove } from './measures.ts';
import { distanceToBreach, factors, ninetyDays, record, regimeSentence } from './symbol-sections.ts';

/** A briefing about the named symbol, or about a symbol with high risk or a large move. */
export function profile(context: BriefingContext, choose: Choice, named: string | null): Draft {
  const weight = (snapshot: SymbolSnapshot): number => (size(snapshot) ?? 0) + snapshot.state;
  const ranked = context.snapshots
    .filter((one) => rangeOf(one) !== null)
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, 12);
  const subject =
    context.snapshots.find(({ symbol }) => symbol === named) ??
    (ranked.length === 0 ? context.lead : choose.pick(ranked));
  const { symbol, instrument, days, state, price, change, confidence, baseRate, reading } = subject;
  const distance = distanceToBreach(subject);
  const lastPrice =
    change === null ? `${symbol} is at ${priceText(price)}.` : `${symbol} ${moved(change)} to ${priceText(price)}.`;
  const summary = `${instrument.name} (${symbol}) is ${stateLabel(state)} with a confidence of ${points(confidence)}, against a base rate of ${points(baseRate)}. ${lastPrice}${distance === null ? '' : ` It is ${distance}.`}`;
  const moves = `${movesText(subject)}The regime is ${regimeSentence(context.regime(subject))}.`;
  return draftOf({
    title: choose.pick([
      `${symbol} in profile, ${stateLabel(state)} at ${priceText(price)}`,
      `A long look at ${symbol}, at ${priceText(price)}`,
      `Where the risk of ${instrument.name} comes from, ${shortDay(days.at(-1)?.reading.date ?? reading.date)}`,
    ]),
    summary,
    lead: [summary, moves],
    sections: [
      ...choose.shuffle([
        ninetyDays(context, choose, subject),
        dimensions(subject, choose),
        besideLead(subject, context.lead),
      ]),
      stateChanges(subject, choose),
      factors(context, choose, subject),
      record(context, choose, subject),
    ],
    symbols: [symbol, context.lead.symbol],
  });
}

/** Only what the closes are enough for. */
function movesText(subject: SymbolSnapshot): string {
  const usual = usualMove(subject);
  const [week, month] = [moveOver(subject, 5), moveOver(subject, 21)];
  const clauses = [
    ...(usual === null ? [] : [`its usual session of the past 90 days moved ${percent(usual, 2)}`]),
    ...(week === null
      ? []
      : [`over five sessions it ${moved(week)}${month === null ? '' : `, over 21 it ${moved(month)}`}`]),
  ];
  return clauses.length === 0 ? '' : `${capital(clauses.join('; '))}. `;
}

function besideLead(subject: SymbolSnapshot, lead: SymbolSnapshot): Section | null {
  const found = subject === lead ? null : comovement(subject, lead);
  if (found === null) return null;
  return {
    heading: `Beside ${lead.symbol}`,
    text: `The daily returns of ${subject.symbol} and ${lead.symbol} had a correlation of ${found.correlation.toFixed(2)} over ${found.days} common sessions; a 1 % day of ${lead.symbol} went with ${signed(found.slope / 100, 2)} of ${subject.symbol}.`,
  };
}

function dimensions(subject: SymbolSnapshot, choose: Choice): Section | null {
  const rows = dimensionRanks(subject);
  const { name, domain, power: value, rank, change } = DIMENSION_COLUMNS;
  if (rows.length === 0) return null;
  return {
    heading: choose.pick(['All twelve dimensions', 'The twelve dimensions', 'Dimension by dimension']),
    text: table([name, domain, value, rank, change], rows),
  };
}

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(10 * value) / 10);

/** The changes of state from close to close. */
function stateChanges({ symbol, days, state }: SymbolSnapshot, choose: Choice): Section {
  const rows = days.flatMap((day, index) => {
    const before = days[index - 1];
    return before === undefined || before.state === day.state ? [] : { day, before };
  });
  if (rows.length === 0)
    return {
      heading: 'Its states',
      text: `${symbol} closed all ${days.length} sessions of the past 90 days in ${stateLabel(days.at(-1)?.state ?? state)}.`,
    };
  const columns: Column<(typeof rows)[number]>[] = [
    ['Close', ({ day }) => shortDay(day.reading.date)],
    ['Change', ({ before, day }) => `${stateLabel(before.state)} to ${stateLabel(day.state)}`],
    ['>Price', ({ day }) => priceText(day.reading.close)],
    [
      '>Confidence',
      ({ day }) => points(day.state === day.reading.state ? rounded(day.reading.confidence) : day.announced),
    ],
  ];
  const shown = rows.slice(-6);
  return {
    heading: choose.pick(['Its changes of state', 'How its state changed', 'From close to close']),
    text: `From close to close the state changed ${times(rows.length)} in the past 90 days${shown.length < rows.length ? '; the latest' : ''}:\n\n${table(columns, shown)}`,
  };
}
