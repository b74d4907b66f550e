// Renderer, pure: the archive query of the page, names of its filters, and the listed rows.
import type { ArchiveView, BriefingDetail, BriefingRow } from '../../../shared/channels/archive.ts';
import { dayAndYear, type Zone } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { dayRange } from '../../queries/day-range.ts';
import type { ListInput } from '../../queries/policies.ts';
import type { Box, Filters, View } from './view.ts';

/** The query of the archive, without what is later than the shown moment. */
export function queryOf(
  { box, text, types, authors, symbol, ...days }: View,
  zone: Zone,
  shown: number | null,
): ListInput<'briefings.list'> {
  return {
    box,
    text,
    types: types.length === 0 ? null : [...types],
    authors: authors.length === 0 ? null : [...authors],
    symbol: symbol === '' ? null : symbol,
    ...dayRange(days, zone, shown),
  };
}

/** An active filter, and the filters without it. */
export interface Chip {
  readonly label: string;
  readonly without: Partial<Filters>;
}

export function chipsOf({ types, authors, symbol, from, to }: Filters): readonly Chip[] {
  const others = <Value>(values: readonly Value[], value: Value): readonly Value[] =>
    values.filter((each) => each !== value);
  return [
    ...types.map((type) => ({ label: texts.briefings.typeLabel(type), without: { types: others(types, type) } })),
    ...authors.map((author) => ({ label: author, without: { authors: others(authors, author) } })),
    ...(symbol === '' ? [] : [{ label: symbol, without: { symbol: '' } }]),
    ...(from === '' ? [] : [{ label: texts.briefings.since(dayAndYear(Date.parse(from))), without: { from: '' } }]),
    ...(to === '' ? [] : [{ label: texts.briefings.until(dayAndYear(Date.parse(to))), without: { to: '' } }]),
  ];
}

/** The archive's rows, and opened rows that have left the box since, each in its position: newest first. */
export function withRetained(
  rows: readonly BriefingRow[],
  retained: readonly BriefingRow[],
  box: Box,
  briefingOf: (id: string) => BriefingDetail | null,
): readonly BriefingRow[] {
  const ids = new Set(rows.map(({ id }) => id));
  const gone = retained
    .filter(({ id }) => !ids.has(id))
    .map((row) => ({ ...asRead(row, briefingOf(row.id)), ...LEFT[box] }));
  return gone.length === 0
    ? rows
    : [...rows, ...gone].sort((a, b) => b.date.localeCompare(a.date) || b.id.localeCompare(a.id));
}

/** A retained row is as old as its opening: its text and flags may have changed since. */
const asRead = (row: BriefingRow, briefing: BriefingDetail | null): BriefingRow =>
  briefing === null
    ? row
    : { ...row, text: 'here', unread: briefing.unread, starred: briefing.starred, later: briefing.later };

/** The changed flag by which a row left a box. */
const LEFT: Readonly<Record<Box, Partial<BriefingRow>>> = {
  unread: { unread: false },
  starred: { starred: false },
  later: { later: false },
  all: {},
};

/** Number of briefings in a box. */
export const countOf = (archive: ArchiveView, box: Box): number => archive.briefings[box];

/** The next unread after the open one, else from the top; null if nothing else is unread. */
export function nextUnread(rows: readonly BriefingRow[], open: string | null): BriefingRow | null {
  const from = rows.findIndex(({ id }) => id === open) + 1;
  return [...rows.slice(from), ...rows.slice(0, from)].find((row) => row.unread && row.id !== open) ?? null;
}
