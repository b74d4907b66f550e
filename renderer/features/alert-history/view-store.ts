// Renderer: mode, filters and choice of the alert history. They are kept while another page is shown.
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { FILTERS_AT_FIRST, type Filters } from './filters.ts';

export const MODES = ['episodes', 'transitions'] as const;
export type Mode = (typeof MODES)[number];

interface View {
  readonly mode: Mode;
  readonly filters: Filters;
  /** Ledger ids. */
  readonly chosen: ReadonlySet<number>;
  /** Rows that are read at most. */
  readonly most: number;
}

/** Rows that are read at first, and with each request for more. */
const MOST = 1000;
const NONE: ReadonlySet<number> = new Set();

const store = createStore<View>(() => ({
  mode: 'episodes',
  filters: FILTERS_AT_FIRST,
  chosen: NONE,
  most: MOST,
}));

export const useView = <Part>(select: (view: View) => Part): Part => useStore(store, select);

export const view = {
  setMode: (mode: Mode) => store.setState({ mode, chosen: NONE }),
  filter: (more: Partial<Filters>) => store.setState(({ filters }) => ({ filters: { ...filters, ...more } })),
  /** Shows every alert. */
  unfilter: () => store.setState({ filters: { ...FILTERS_AT_FIRST, states: [2, 1, 0], list: 'all', days: null } }),
  toggle: (id: number) =>
    store.setState(({ chosen }) => ({
      chosen: chosen.has(id) ? new Set([...chosen].filter((one) => one !== id)) : new Set([...chosen, id]),
    })),
  choose: (ids: readonly number[]) => store.setState({ chosen: new Set(ids) }),
  chooseNone: () => store.setState({ chosen: NONE }),
  readMore: () => store.setState(({ most }) => ({ most: most + MOST })),
};
