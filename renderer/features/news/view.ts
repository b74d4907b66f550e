// Renderer: the view state of the page News: filters and open item.
// It outlives a visit to another page.

import type { Zone } from '../../../shared/text/format.ts';
import type { SENTIMENT_LABELS } from '../../../shared/wire/news.ts';
import { dayRange } from '../../queries/day-range.ts';
import type { ListInput } from '../../queries/policies.ts';
import { createViewSlice } from '../../store/view-state.ts';

export type Sentiment = (typeof SENTIMENT_LABELS)[number];

export interface Filters {
  readonly text: string;
  readonly sentiment: Sentiment | null;
  /** '' matches any, as in the following fields. */
  readonly source: string;
  readonly symbol: string;
  /** "2026-11-19", both inclusive. */
  readonly from: string;
  readonly to: string;
}
export interface View extends Filters {
  readonly open: string | null;
}

const NO_FILTERS: Filters = { text: '', sentiment: null, source: '', symbol: '', from: '', to: '' };
const slice = createViewSlice<View>('news', { ...NO_FILTERS, open: null });

export const useView = <Part>(select: (view: View) => Part): Part => slice.use(select);

export const view = {
  filter: (change: Partial<Filters>) => slice.set(change),
  clearFilters: () => slice.set(NO_FILTERS),
  open: (open: string) => slice.set({ open }),
};

/** The query of the archive, without what is later than the shown moment. */
export const queryOf = (
  { text, sentiment, source, symbol, ...days }: Filters,
  zone: Zone,
  shown: number | null,
): ListInput<'news.list'> => ({
  text,
  sentiment,
  source: source === '' ? null : source,
  symbol: symbol === '' ? null : symbol,
  ...dayRange(days, zone, shown),
});

/** Number of active filters. */
export const filtersOn = ({ text, sentiment, source, symbol, from, to }: Filters): number =>
  [text.trim(), sentiment ?? '', source, symbol, from, to].filter((value) => value !== '').length;
