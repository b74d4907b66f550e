// Main, core: what was in the service's log before this program could have seen it. It is written down and never sounds.
// The line is drawn once, by world time, and only while that log is read for the first time; afterwards everything new is notified.

import { DAY_MS } from '../../../shared/lib/time.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { MetadataStore } from './metadata.ts';

/** World time, ms, before which back-filled events are the past; null once the log was read to its end. */
export function baselineAt(metadata: MetadataStore): number | null {
  const line = metadata.get('caught_up') === 'yes' ? null : metadata.get('baseline');
  return line === null ? null : Date.parse(line);
}

/** Draws the line, unless it was drawn: at the start of this program, or where a ledger that was lost had seen everything. */
export function setBaseline(metadata: MetadataStore, line: string): void {
  if (metadata.get('baseline') === null) metadata.set('baseline', line);
}

/** The present by both clocks, ms, and how fast the world's runs. */
export interface ClockState {
  readonly world: number;
  readonly here: number;
  readonly speed: number;
  /** World time of the newest transition that is known, ms; null: none is. */
  readonly newest: number | null;
}

/** When a clock was set back, nobody knows how long nothing was seen: taken for this long, ms. */
const UNKNOWN_ABSENCE = DAY_MS;
/** Further apart than this, the two clocks speak of different worlds, ms of the world's clock. */
const OTHER_WORLD = 7 * DAY_MS;

/**
 * The service has another log: it is read from its oldest event. What lies before the last proof that nothing was missing was either notified already
 * or could not be received; what lies after it is notified. Where the clocks disagree about that instant, the earlier one counts; and none of them
 * counts for more than the newest transition that is known: a clock that was set may have dated a proof too late, and what is known is not notified again.
 */
export function startNewLog(metadata: MetadataStore, clocks: ClockState): void {
  const line = lastProof(metadata, clocks);
  const isOfThisWorld = clocks.newest !== null && line - clocks.newest <= OTHER_WORLD;
  metadata.set('baseline', timestamp(isOfThisWorld ? Math.min(line, clocks.newest ?? line) : line));
  metadata.set('caught_up', 'no');
}

function lastProof(metadata: MetadataStore, { world, here, speed }: ClockState): number {
  const [byWorld, byHere] = [metadata.get('proven_until'), metadata.get('proven_until_here')];
  // Nothing was ever proven: the first line still stands.
  if (byWorld === null || byHere === null)
    return Math.min(world, Date.parse(metadata.get('baseline') ?? timestamp(world)));
  const absence = here - Date.parse(byHere);
  const proven = world - (absence < 0 ? UNKNOWN_ABSENCE : absence) * speed;
  const said = Date.parse(byWorld);
  return said > world || proven - said > OTHER_WORLD ? proven : Math.min(proven, said);
}
