// Renderer, pure: the range of the archive that chosen days and the shown moment leave.
import { DAY_MS } from '../../shared/lib/time.ts';
import { startOfDay, type Zone } from '../../shared/text/format.ts';
import { timestamp } from '../../shared/wire/primitives.ts';

/**
 * From the start of the first day to the end of the last, in the zone in which times are shown.
 * @param days "2026-11-19", both inclusive; '': open
 * @param shown nothing later is shown, ms; null: now
 */
export function dayRange(
  { from, to }: { readonly from: string; readonly to: string },
  zone: Zone,
  shown: number | null,
): { readonly from: string | null; readonly to: string | null } {
  const end =
    to === ''
      ? Number.POSITIVE_INFINITY
      : startOfDay(new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10), zone) - 1;
  const until = Math.min(end, shown ?? Number.POSITIVE_INFINITY);
  return {
    from: from === '' ? null : timestamp(startOfDay(from, zone)),
    to: Number.isFinite(until) ? timestamp(until) : null,
  };
}
