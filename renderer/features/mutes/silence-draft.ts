// Renderer, mutes: the draft of a silence; it outlives a visit to another page.

import type { Zone } from '../../../shared/text/format.ts';
import { createViewSlice } from '../../store/view-state.ts';

interface SilenceDraft {
  readonly symbols: string;
  /** Both as typed, in `zone`: another choice of zone does not move them. */
  readonly from: string;
  readonly until: string;
  /** null: neither time was typed. */
  readonly zone: Zone | null;
  readonly comment: string;
}

export const EMPTY_SILENCE = { symbols: '', from: '', until: '', comment: '' } as const;
const slice = createViewSlice<SilenceDraft>('silence', { ...EMPTY_SILENCE, zone: null });

export const useSilenceDraft = (): SilenceDraft => slice.use((draft) => draft);
export const writeSilence = (draft: SilenceDraft): void => slice.set(draft);
