// Main, command line: durations and instants in flags, as world time.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { timestamp, ZonedInstantSchema } from '../../../shared/wire/primitives.ts';
import type { AppClient } from '../../host/app-client.ts';
import { UsageError } from '../../host/command-line.ts';

const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** World time of the app's profile, ms. */
export async function worldNow(app: AppClient): Promise<number> {
  const { connection } = await app.call('state.snapshot', {});
  return Date.now() + connection.clock.offset;
}

/** @returns ms @throws UsageError */
export function durationOf(flag: string, text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (!(ms > 0)) throw new UsageError(`${flag} ${text}: it must be like 30m, 4h or 2d.`);
  return ms;
}

/** @returns a timestamp @throws UsageError */
export function instantIn(flag: string, text: string): string {
  const instant = ZonedInstantSchema.safeParse(text);
  if (!instant.success) throw new UsageError(`${flag} ${text}: it ${instant.error.issues[0]?.message}.`);
  return timestamp(Date.parse(instant.data));
}
