// Renderer: the silence that is being written. It is kept while another page is shown.
import { createViewSlice } from '../../store/view-state.ts';
import type { Zone } from '../../text/format.ts';

export interface SilenceDraft {
  readonly symbols: string;
  /** Both as typed, in `zone`: choosing another zone later does not move them. */
  readonly from: string;
  readonly until: string;
  /** null: neither time is typed. */
  readonly zone: Zone | null;
  readonly comment: string;
}

const EMPTY: SilenceDraft = { symbols: '', from: '', until: '', zone: null, comment: '' };
const slice = createViewSlice<SilenceDraft>('silence', EMPTY);

export const useSilenceDraft = (): SilenceDraft => slice.use((draft) => draft);
export const writeSilence = (more: Partial<SilenceDraft>): void => slice.set(more);
export const clearSilence = (): void => slice.set(EMPTY);
