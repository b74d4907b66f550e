// Renderer, pure: what the page asks the archive for, what its filters are called, and the rows as they are listed.
import type { ArchiveView, BriefingDetail, BriefingRow } from '../../../shared/channels/archive.ts';
import type { ListInput } from '../../queries/policies.ts';
import { briefings as messages } from '../../text/briefings.ts';
import { dayAndYear, startOfDay, type Zone } from '../../text/format.ts';
import type { Box, Filters, View } from './view.ts';

const DAY = 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/** Days are those of the zone in which all times are shown. */
export function queryOf(
  { box, text, types, authors, symbol, from, to }: View,
  zone: Zone,
): ListInput<'briefings.list'> {
  return {
    box,
    text,
    types: types.length === 0 ? null : [...types],
    authors: authors.length === 0 ? null : [...authors],
    symbol: symbol === '' ? null : symbol,
    from: from === '' ? null : iso(startOfDay(from, zone)),
    to: to === '' ? null : iso(startOfDay(iso(Date.parse(to) + DAY).slice(0, 10), zone) - 1),
  };
}

/** One filter that is on, and the filters without it. */
export interface Chip {
  readonly label: string;
  readonly without: Partial<Filters>;
}

export function chipsOf({ types, authors, symbol, from, to }: Filters): readonly Chip[] {
  const others = <Value>(values: readonly Value[], value: Value): readonly Value[] =>
    values.filter((each) => each !== value);
  return [
    ...types.map((type) => ({ label: messages.types[type], without: { types: others(types, type) } })),
    ...authors.map((author) => ({ label: author, without: { authors: others(authors, author) } })),
    ...(symbol === '' ? [] : [{ label: symbol, without: { symbol: '' } }]),
    ...(from === '' ? [] : [{ label: messages.since(dayAndYear(Date.parse(from))), without: { from: '' } }]),
    ...(to === '' ? [] : [{ label: messages.until(dayAndYear(Date.parse(to))), without: { to: '' } }]),
  ];
}

/** The rows of the archive, and those that were opened here and have left the box since, each at its place: newest first. */
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

/** A row that was kept is as old as its opening: its text may have come since, and its flags may be others. */
const asRead = (row: BriefingRow, briefing: BriefingDetail | null): BriefingRow =>
  briefing === null
    ? row
    : { ...row, text: 'here', unread: briefing.unread, starred: briefing.starred, later: briefing.later };

/** Why a row is in a box no more. */
const LEFT: Readonly<Record<Box, Partial<BriefingRow>>> = {
  unread: { unread: false },
  starred: { starred: false },
  later: { later: false },
  all: {},
};

/** How many briefings a box holds. */
export const countOf = (archive: ArchiveView, box: Box): number => archive.briefings[box];

/** The next unread after the one that is open, from the top when there is none below; null when nothing else is unread. */
export function nextUnread(rows: readonly BriefingRow[], open: string | null): BriefingRow | null {
  const from = rows.findIndex(({ id }) => id === open) + 1;
  return [...rows.slice(from), ...rows.slice(0, from)].find((row) => row.unread && row.id !== open) ?? null;
}
