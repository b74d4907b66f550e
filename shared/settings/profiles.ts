// Pure: names of profiles, and the sources of their signals.
import { z } from 'zod';
import { APP_FEEDS } from '../domain/price-feeds.ts';
import { SymbolSchema, TimestampSchema } from '../wire/primitives.ts';

/**
 * The name of a profile is the name of its folder. Windows reserves these for devices, and settings may move
 * to another computer.
 */
const isReserved = (name: string): boolean => /^(con|prn|aux|nul|(com|lpt)[0-9])$/.test(name);

export const ProfileNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'lower-case letters, digits and dashes, at most 32')
  .refine((name) => !isReserved(name), 'Windows reserves this name for a device; choose another');

/** A replay of past prices: from an instant on, so many times as fast. */
export const ReplaySchema = z.strictObject({ from: TimestampSchema, speed: z.number().positive().max(100_000) });

/** A folder with the user's prices: the service inside the app computes signals from them. */
export const OwnPricesSchema = z.strictObject({
  /** Absolute path of a folder of CSV files. */
  folder: z.string().min(1).max(1024),
  /** Absolute path of a folder of Markdown files that become briefings; null: none. */
  editorial: z.string().min(1).max(1024).nullable(),
  /** Absolute path of a folder of calendar files; absent: `events` in the folder of prices. */
  events: z.string().min(1).max(1024).optional(),
  /** null: follows today, as rows are added. */
  replay: ReplaySchema.nullable(),
});
export type OwnPrices = z.infer<typeof OwnPricesSchema>;

/** Addresses in place of a vendor's own, by what they serve: a mirror. */
export const FeedHostsSchema = z.partialRecord(
  z.enum(['rest', 'stream', 'trading']),
  z.url({ protocol: /^(https?|wss?)$/, error: 'must be an address like rest=https://mirror.example' }),
);

/** Symbols that the service inside the app follows. */
export const MAX_FEED_SYMBOLS = 500;

/** Live prices of a vendor: the service inside the app computes signals from them. */
export const PriceFeedSchema = z.strictObject({
  name: z.enum(APP_FEEDS),
  /** Absent: those that the vendor's row of FEED_SYMBOLS has. */
  symbols: z.array(SymbolSchema).min(1).max(MAX_FEED_SYMBOLS).optional(),
  hosts: FeedHostsSchema.optional(),
});
export type PriceFeedSettings = z.infer<typeof PriceFeedSchema>;

/**
 * A valid profile name derived from any text and unlike those in `taken`: "Desk A" becomes "desk-a", then
 * "desk-a-2".
 */
export function profileNameFrom(text: string, taken: readonly string[]): string {
  const stem =
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 28) || 'profile';
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}-${number}`;
    if (!taken.includes(name) && !isReserved(name)) return name;
  }
}
