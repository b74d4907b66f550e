// Main, core: the last deliveries that were refused, with the reason, for people and for the signature doctor. In memory only: whoever sends
// garbage must not be able to make this computer write. What is shown of them holds no secret, no signature and no body.
import type { RefusalReason, Refused } from '../../../shared/channels/relay.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Headers } from './signature.ts';

export interface Exhibit {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export interface Refusals {
  /** @param exhibit kept for the doctor, unless it is large */
  note(reason: RefusalReason, words: string, exhibit?: Exhibit): Refused;
  /** Newest first. */
  list(): Refused[];
  exhibit(id: number): Exhibit | null;
}

const KEPT = 50;
const LARGEST_EXHIBIT = 64 * 1024;

export function createRefusals(clock: Clock): Refusals {
  let made = 0;
  /** Oldest first. */
  const kept: { shown: Refused; exhibit: Exhibit | null }[] = [];
  return {
    note(reason, words, exhibit) {
      const at = timestamp(clock.now());
      const own = exhibit !== undefined && exhibit.body.byteLength <= LARGEST_EXHIBIT ? exhibit : null;
      const last = kept.at(-1);
      // A flood of one kind is one line, so that it does not push out what is worth looking at.
      if (
        last !== undefined &&
        last.shown.reason === reason &&
        last.shown.words === words &&
        own === null &&
        last.exhibit === null
      ) {
        last.shown = { ...last.shown, at, times: last.shown.times + 1 };
        return last.shown;
      }
      made += 1;
      const shown: Refused = { id: made, at, reason, words, times: 1, examinable: own !== null };
      kept.push({ shown, exhibit: own });
      if (kept.length > KEPT) kept.shift();
      return shown;
    },
    list: () => kept.map(({ shown }) => shown).reverse(),
    exhibit: (id) => kept.find(({ shown }) => shown.id === id)?.exhibit ?? null,
  };
}
