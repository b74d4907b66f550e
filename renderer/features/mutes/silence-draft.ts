// Renderer, mutes: the draft of a silence; it outlives a visit to another page.

import type { Zone } from '../../../shared/text/format.ts';
import { createViewSlice } from '../../store/view-state.ts';

/** As typed. */
export interface SilenceText {
  readonly symbols: string;
  readonly from: string;
  readonly until: string;
  readonly comment: string;
}
interface SilenceDraft extends SilenceText {
  /** Of the typed times: another choice of zone does not move them. null: neither was typed. */
  readonly zone: Zone | null;
}

export const EMPTY_SILENCE = { symbols: '', from: '', until: '', comment: '' } as const;
const slice = createViewSlice<SilenceDraft>('silence', { ...EMPTY_SILENCE, zone: null });

export const useSilenceDraft = (): SilenceDraft => slice.use((draft) => draft);
export const writeSilence = (draft: SilenceDraft): void => slice.set(draft);
