// Main, core: what was in the service's log before this program could have seen it. It is written down and never sounds.
// The line is drawn once, by world time, and only while that log is read for the first time; afterwards everything new is told.
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { FactStore } from './facts.ts';

/** World time, ms, before which back-filled events are the past; null once the log was read to its end. */
export function readingPastBefore(facts: FactStore): number | null {
  const line = facts.get('caught_up') === 'yes' ? null : facts.get('first_sight');
  return line === null ? null : Date.parse(line);
}

/** Draws the line, unless it was drawn: at the start of this program, or where a ledger that was lost had seen everything. */
export function drawFirstSight(facts: FactStore, line: string): void {
  if (facts.get('first_sight') === null) facts.set('first_sight', line);
}

/** The present by both clocks, ms, and how fast the world's runs. */
export interface Present {
  readonly world: number;
  readonly here: number;
  readonly speed: number;
  /** World time of the newest transition that is known, ms; null: none is. */
  readonly newest: number | null;
}

/** When a clock was set back, nobody knows how long nothing was seen: taken for this long, ms. */
const UNKNOWN_ABSENCE = 24 * 3_600_000;
/** Further apart than this, the two clocks speak of different worlds, ms of the world's clock. */
const OTHER_WORLD = 7 * 24 * 3_600_000;

/**
 * The service has another log: it is read from its oldest event. What lies before the last proof that nothing was missing was either told already
 * or was never there to be seen; what lies after it is told. Where the clocks disagree about that moment, the earlier one counts; and none of them
 * counts for more than the newest transition that is known: a clock that was set may have told a proof of later, and what is known is not told again.
 */
export function beginAnotherLog(facts: FactStore, present: Present): void {
  const line = lastProof(facts, present);
  const isOfThisWorld = present.newest !== null && line - present.newest <= OTHER_WORLD;
  facts.set('first_sight', timestamp(isOfThisWorld ? Math.min(line, present.newest ?? line) : line));
  facts.set('caught_up', 'no');
}

function lastProof(facts: FactStore, { world, here, speed }: Present): number {
  const [byWorld, byHere] = [facts.get('proven_until'), facts.get('proven_until_here')];
  // Nothing was ever proven: the first line still stands.
  if (byWorld === null || byHere === null)
    return Math.min(world, Date.parse(facts.get('first_sight') ?? timestamp(world)));
  const absence = here - Date.parse(byHere);
  const proven = world - (absence < 0 ? UNKNOWN_ABSENCE : absence) * speed;
  const said = Date.parse(byWorld);
  return said > world || proven - said > OTHER_WORLD ? proven : Math.min(proven, said);
}
