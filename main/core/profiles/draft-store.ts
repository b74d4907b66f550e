// Main, core: keeps the tested values of one future profile; the window gets only their name.
import { randomBytes } from 'node:crypto';
import { refused } from '../../../shared/channels/channel.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { message } from '../../../shared/text/message.ts';

/** An abandoned key is discarded after this, ms. */
export const DRAFT_LIFE = 15 * 60_000;

export interface DraftStore<Draft> {
  /** Keeps the draft for a while, in place of the last one. @returns its name */
  keep(draft: Draft): string;
  /** @throws RefusedError for an unknown draft */
  find(name: string): Draft;
  forget(): void;
}

export function createDraftStore<Draft>(clock: Clock): DraftStore<Draft> {
  let stored: { readonly name: string; readonly draft: Draft; readonly cancel: Cancel } | null = null;
  const forget = (): void => {
    stored?.cancel();
    stored = null;
  };
  return {
    forget,
    keep(draft) {
      forget();
      const name = randomBytes(12).toString('hex');
      stored = { name, draft, cancel: clock.after(DRAFT_LIFE, forget) };
      return name;
    },
    find(name) {
      if (stored?.name === name) return stored.draft;
      throw refused(message('check.forgotten'));
    },
  };
}
