// Main, core: records the breaks of the stream in the last 24 hours: time, cause and duration.
// Kept in memory: the gaps of the ledger survive a restart.
import type { StreamBreak } from '../../../shared/channels/connection.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Phase } from './machine.ts';

const RETENTION = 24 * 3_600_000;
/** A service that flaps must not fill memory. */
const MAX_BREAKS = 200;

export interface Breaks {
  /** Sets the cause of the next break, when nothing else reports one. */
  expect(cause: Message): void;
  phase(next: Phase): void;
  /** Newest first. */
  list(): StreamBreak[];
}

export function createBreaks(clock: Clock): Breaks {
  let isOpen = false;
  let expected: Message | null = null;
  /** Oldest first. */
  let history: { readonly at: number; readonly cause: Message; backAfter: number | null }[] = [];
  const recent = () => history.filter(({ at }) => clock.now() - at < RETENTION).slice(-MAX_BREAKS);
  const broken = (cause: Message): void => {
    if (!isOpen) return;
    isOpen = false;
    history = [...recent(), { at: clock.now(), cause, backAfter: null }];
  };
  return {
    expect(cause) {
      expected = cause;
    },
    phase(next) {
      if (next.name === 'open') {
        const last = history.at(-1);
        if (last !== undefined && last.backAfter === null) last.backAfter = Math.max(0, clock.now() - last.at);
        isOpen = true;
      } else if (next.name === 'waiting') broken(expected ?? next.cause);
      else if (next.name === 'refused') broken(next.message);
      else broken(expected ?? message('connection.reopened'));
      expected = null;
    },
    list: () =>
      recent()
        .reverse()
        .map(({ at, cause, backAfter }) => ({ at: timestamp(at), cause, back_after: backAfter })),
  };
}
