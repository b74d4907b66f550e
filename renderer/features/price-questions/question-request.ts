// Renderer, price questions: which symbols have a price that needs a decision, and whose dialog is open.
import type { Row } from '../../../shared/channels/state.ts';
import { useSnapshot } from '../../store/store.ts';
import { createDialogSlice } from '../../store/view-state.ts';

/** By symbol. */
export const {
  use: useRequest,
  open: openQuestion,
  close: closeQuestion,
} = createDialogSlice<string>('price question');

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
