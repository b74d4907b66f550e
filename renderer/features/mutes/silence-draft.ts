// Renderer: the silence that is being written. It is kept while another page is shown.
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
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
const store = createStore<SilenceDraft>(() => EMPTY);

export const useSilenceDraft = (): SilenceDraft => useStore(store);
export const writeSilence = (more: Partial<SilenceDraft>): void => store.setState(more);
export const clearSilence = (): void => store.setState(EMPTY);
