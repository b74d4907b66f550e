// Renderer, price questions: which symbols have a price that needs a decision, and whose dialog is open.
import type { Row } from '../../../shared/channels/state.ts';
import { useSnapshot } from '../../store/store.ts';
import { createViewSlice } from '../../store/view-state.ts';

const slice = createViewSlice<{ readonly symbol: string | null; readonly returnTo: HTMLElement | null }>(
  'price question',
  { symbol: null, returnTo: null },
);

export const useRequest = (): string | null => slice.use(({ symbol }) => symbol);
/** The control that gets the focus back. */
export const returnTo = {
  get current() {
    return slice.get().returnTo;
  },
};
export const openQuestion = (symbol: string, from: HTMLElement | null): void => slice.set({ symbol, returnTo: from });
export const closeQuestion = (): void => slice.set({ symbol: null });

/** Whether a price of the symbol counts and needs a decision. */
export const isAsked = (row: Row | undefined): boolean => row?.signal?.price_question?.counts_as === 'price';

/** The symbols whose price counts and needs a decision, joined by spaces: equal ones render nothing again. */
export const useAskedSymbols = (): string =>
  useSnapshot(({ rows }) =>
    Object.values(rows)
      .filter(isAsked)
      .map(({ symbol }) => symbol)
      .sort()
      .join(' '),
  );
