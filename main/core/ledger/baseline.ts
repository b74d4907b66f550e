// Main, core: the baseline: back-filled events older than it are recorded and never notified.
// It is set in world time while a log is read for the first time. Rules decide about all later events.

import { DAY_MS } from '../../../shared/lib/time.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { MetadataStore } from './metadata.ts';

/** World time, ms, before which back-filled events are history; null once the log was read to its end. */
export function baselineAt(metadata: MetadataStore): number | null {
  const line = metadata.get('caught_up') === 'yes' ? null : metadata.get('baseline');
  return line === null ? null : Date.parse(line);
}

/** Sets the baseline unless it is set: to the first start, or to the last connection of a lost ledger. */
export function setBaseline(metadata: MetadataStore, line: string): void {
  if (metadata.get('baseline') === null) metadata.set('baseline', line);
}

/** The current time by both clocks, ms, and the speed of the world's clock. */
export interface ClockState {
  readonly world: number;
  readonly here: number;
  readonly speed: number;
  /** World time of the newest known transition, ms; null when there is none. */
  readonly newest: number | null;
}

/** Assumed length of a downtime, ms, when the clock was set back and the real length is unknown. */
const UNKNOWN_ABSENCE = DAY_MS;
/** Two clocks further apart than this, in world ms, do not belong to the same log. */
const OTHER_WORLD = 7 * DAY_MS;

/**
 * Sets the baseline for a new log of the service, which is read from its oldest event. Events before the last
 * proof of completeness were notified already or could not be received; later events are notified. Where the
 * clocks disagree about that instant, the earlier one counts. The baseline is never later than the newest
 * known transition: a clock that was set may have dated a proof too late, and known events are not notified
 * again.
 */
export function startNewLog(metadata: MetadataStore, clocks: ClockState): void {
  const line = lastProof(metadata, clocks);
  const isOfThisWorld = clocks.newest !== null && line - clocks.newest <= OTHER_WORLD;
  metadata.set('baseline', timestamp(isOfThisWorld ? Math.min(line, clocks.newest ?? line) : line));
  metadata.set('caught_up', 'no');
}

function lastProof(metadata: MetadataStore, { world, here, speed }: ClockState): number {
  const [byWorld, byHere] = [metadata.get('proven_until'), metadata.get('proven_until_here')];
  // No reading was ever complete: keep the first baseline.
  if (byWorld === null || byHere === null)
    return Math.min(world, Date.parse(metadata.get('baseline') ?? timestamp(world)));
  const absence = here - Date.parse(byHere);
  const proven = world - (absence < 0 ? UNKNOWN_ABSENCE : absence) * speed;
  const said = Date.parse(byWorld);
  return said > world || proven - said > OTHER_WORLD ? proven : Math.min(proven, said);
}
