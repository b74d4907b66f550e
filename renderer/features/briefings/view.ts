// Renderer: view state of the page Briefings: box, filters, search, open briefing.
import type { BRIEFING_BOXES, BriefingRow } from '../../../shared/channels/archive.ts';
import { createViewSlice } from '../../store/view-state.ts';

export type Box = (typeof BRIEFING_BOXES)[number];

export interface Filters {
  readonly types: readonly string[];
  readonly authors: readonly string[];
  /** Normalized; '': every one. */
  readonly symbol: string;
  /** "2026-11-19", both inclusive; '': open. */
  readonly from: string;
  readonly to: string;
}

export interface View extends Filters {
  readonly box: Box;
  readonly text: string;
  /** Id of the open briefing. */
  readonly open: string | null;
  /** It was opened by the page, not by the user: it stays unread. */
  readonly isPreview: boolean;
  /** Opened rows keep their positions although they have left the box, for example by being read. */
  readonly retained: readonly BriefingRow[];
  /** The side to show where only one of both fits. */
  readonly side: 'list' | 'text';
}

const NO_FILTERS: Filters = { types: [], authors: [], symbol: '', from: '', to: '' };
const FIRST: View = {
  ...NO_FILTERS,
  box: 'unread',
  text: '',
  open: null,
  isPreview: false,
  retained: [],
  side: 'list',
};

const slice = createViewSlice<View>('briefings', FIRST);

export const useView = <Part>(select: (view: View) => Part): Part => slice.use(select);

const toggled = <Value>(values: readonly Value[], value: Value): readonly Value[] =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value];

// A new query drops the retained rows.
const narrow = (change: (view: View) => Partial<View>): void =>
  slice.set((view) => ({ ...change(view), retained: [] }));

/** Every unread briefing is in the list. */
export const isWhole = ({ box, text, types, authors, symbol, from, to }: View): boolean =>
  (box === 'all' || box === 'unread') &&
  [text.trim(), symbol, from, to].every((value) => value === '') &&
  types.length + authors.length === 0;

export const view = {
  read: () => slice.get(),
  showBox: (box: Box) => narrow(() => ({ box })),
  toggleType: (type: string) => narrow(({ types }) => ({ types: toggled(types, type) })),
  toggleAuthor: (author: string) => narrow(({ authors }) => ({ authors: toggled(authors, author) })),
  filter: (change: Partial<Filters>) => narrow(() => change),
  setSymbol: (symbol: string) => narrow(() => ({ symbol })),
  setDays: (from: string, to: string) => narrow(() => ({ from, to })),
  setText: (text: string) => narrow(() => ({ text })),
  clearFilters: () => narrow(() => ({ ...NO_FILTERS, text: '' })),
  /** @param row from the list; null when it is opened from elsewhere */
  open: (id: string, row: BriefingRow | null) =>
    slice.set(({ retained }) => ({
      open: id,
      isPreview: false,
      retained: row === null || retained.some((each) => each.id === id) ? retained : [...retained, row],
    })),
  /** Shows a row where none is open. */
  preview: (id: string) => slice.set(({ open }) => (open === null ? { open: id, isPreview: true } : {})),
  show: (side: View['side']) => slice.set({ side }),
  /** Resets the view, for tests. */
  reset: () => slice.set(FIRST),
};
