// Main, core: key/value metadata that must survive a restart.
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { Metadata } from '../files/metadata.ts';

/**
 * begun: when an empty ledger was made.
 * kept_until_here: time of the last known write to the lost ledger that this one replaces, this computer's
 * clock.
 * loss: when and how the ledger was last lost, as JSON, for `doctor`.
 * unsettled_loss: the loss of the ledger that this one replaces, as JSON; empty: the service was listed
 * since.
 * baseline: world time before which a log that is read for the first time is history.
 * caught_up: "yes" after that log was read to its end.
 * connected_until: world time of the last data while connected.
 * proven_event: the last event but one with a certain position in the service's list; empty: before the
 * oldest. Back-fill continues from there after the stream broke.
 * downtime_from, downtime_until, downtime_cause: the downtime that the user has not acknowledged;
 * downtime_from is empty after that.
 * outage: the current outage, as JSON; empty: none. outage_us, outage_fx, outage_always: the outage of one
 * market, while signals of another are current.
 * stood_at: world time at which the service's clock stands, and when it had that by this computer's clock;
 * empty: it advances.
 * self_test: the current or last self-test, as JSON.
 * proven_until, proven_until_here: the instant up to which the service's list proved completeness, by the
 * world's clock and by this computer's.
 * removed_events: number of events that retention removed; removed_hashes: number of their stored hashes.
 * open_after: ledger id of the last alert by an earlier version; such alerts leave the list with their state.
 * absent_from: world time, ISO, at which the last window closed; empty: a window is open.
 * watched: symbols whose beginning was notified, as JSON; they are still watched.
 * desk_after: id of the last act of the desk that was read; desk_account: service and key that it is of.
 * answer_key: makes the tokens of answers from phones.
 * identity_from: world time, seconds; a listed event dated before it may be a removed one.
 */
export type MetadataKey =
  | 'answer_key'
  | 'desk_after'
  | 'desk_account'
  | 'begun'
  | 'kept_until_here'
  | 'loss'
  | 'unsettled_loss'
  | 'baseline'
  | 'caught_up'
  | 'connected_until'
  | 'proven_until'
  | 'proven_until_here'
  | 'proven_event'
  | 'downtime_from'
  | 'downtime_until'
  | 'downtime_cause'
  | 'outage'
  | `outage_${SessionCalendar}`
  | 'price_questions'
  | 'stood_at'
  | 'self_test'
  | 'state_digits'
  | 'state_words_notified'
  | 'removed_events'
  | 'removed_hashes'
  | 'watched'
  | 'identity_from'
  | 'open_after'
  | 'absent_from';

export type MetadataStore = Metadata<MetadataKey>;
