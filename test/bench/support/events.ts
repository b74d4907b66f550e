// Bench: makes events in the form of the service, in any number.
// They are transitions of symbols in turn, a second apart, with ids in order of time.

import { createEventIds } from '../../../service/signals/event-id.ts';
import type { State } from '../../../shared/domain/states.ts';
import { stateName } from '../../../shared/domain/states.ts';
import { DEFAULT_WATCHLIST, symbolsOf } from '../../../shared/domain/watchlists.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import type { EventEnvelope } from '../../../shared/wire/events.ts';
import { signalEvent } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { encodeEvent } from '../../../shared/wire/sse.ts';

/** Older events, and those of the future, are quarantined (docs/contract.md 28): 20 days hold 1,700,000 events. */
const AGE = 20 * DAY_MS;
/** World time of the first event: the same in all processes of a day. */
export const FIRST_AT = Math.floor(Date.now() / DAY_MS) * DAY_MS - AGE;
/** The states of a symbol: up through Elevated into High Risk, and back. */
const STATE_SEQUENCE: readonly State[] = [1, 2, 1, 0];
const ids = createEventIds('bench');

/** Two hundred symbols; those of the default watchlist are among them. */
export const SYMBOLS: readonly string[] = [
  ...symbolsOf(DEFAULT_WATCHLIST),
  ...Array.from({ length: 170 }, (_, index) => `B${String(index).padStart(3, '0')}`),
];

/** @param seq from 1 on; @param firstAt world time of number 0, ms */
export function eventAt(seq: number, firstAt = FIRST_AT): EventEnvelope {
  const symbol = SYMBOLS[seq % SYMBOLS.length] as string;
  const turn = Math.floor(seq / SYMBOLS.length);
  const to = STATE_SEQUENCE[turn % STATE_SEQUENCE.length] as State;
  const from = STATE_SEQUENCE[(turn + STATE_SEQUENCE.length - 1) % STATE_SEQUENCE.length] as State;
  const ms = firstAt + seq * 1000;
  const at = timestamp(ms);
  const eventId = ids.of(ms, 0, symbol);
  return {
    event_id: eventId,
    seq,
    event: signalEvent(to),
    timestamp: at,
    data: {
      event_id: eventId,
      symbol,
      asset_class: 'etf',
      from_state: from,
      to_state: to,
      state_name: stateName(to),
      regime: 'volatile_downtrend',
      confidence: 36.4,
      note: 'Drawdown 4.8 % from the 21-day high, 62 % of the way to a breach; probability 31 %.',
      occurred_at: at,
      model_version: 'dd-p-1+bench',
    },
  } as EventEnvelope;
}

/** The stream's bytes of `count` events after `after`, in chunks as a socket delivers them. */
export function streamBytes(after: number, count: number, piece = 65_536): Uint8Array[] {
  let text = '';
  for (let seq = after + 1; seq <= after + count; seq += 1) text += encodeEvent(eventAt(seq));
  const bytes = Buffer.from(text, 'utf8');
  return Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) =>
    bytes.subarray(index * piece, (index + 1) * piece),
  );
}
