// Renderer: mode, filters and choice of the alert history; they outlive a visit to another page.
import { createViewSlice } from '../../store/view-state.ts';
import { FILTERS_AT_FIRST, type Filters } from './filters.ts';

export const MODES = ['episodes', 'transitions'] as const;
export type Mode = (typeof MODES)[number];

interface View {
  readonly mode: Mode;
  readonly filters: Filters;
  /** Ledger ids. */
  readonly chosen: ReadonlySet<number>;
  /** Upper limit of rows to read. */
  readonly most: number;
  /** Without a choice the first line is open. */
  readonly opensFirst: boolean;
}

/** Rows of the first read, and of each request for more. */
const MOST = 1000;
const NONE: ReadonlySet<number> = new Set();

const slice = createViewSlice<View>('alert history', {
  mode: 'episodes',
  filters: FILTERS_AT_FIRST,
  chosen: NONE,
  most: MOST,
  opensFirst: true,
});

export const useView = <Part>(select: (view: View) => Part): Part => slice.use(select);

export const view = {
  setMode: (mode: Mode) => slice.set({ mode, chosen: NONE }),
  filter: (more: Partial<Filters>) => slice.set(({ filters }) => ({ filters: { ...filters, ...more } })),
  /** Shows every alert. */
  unfilter: () => slice.set({ filters: { ...FILTERS_AT_FIRST, states: [2, 1, 0], list: 'all', days: null } }),
  toggle: (id: number) =>
    slice.set(({ chosen }) => ({
      chosen: chosen.has(id) ? new Set([...chosen].filter((one) => one !== id)) : new Set([...chosen, id]),
    })),
  choose: (ids: readonly number[]) => slice.set({ chosen: new Set(ids) }),
  /** Returns false if none was. */
  chooseNone(): boolean {
    const wereChosen = slice.get().chosen.size > 0;
    slice.set({ chosen: NONE });
    return wereChosen;
  },
  closeFirst: () => slice.set({ opensFirst: false }),
  readMore: () => slice.set(({ most }) => ({ most: most + MOST })),
};
