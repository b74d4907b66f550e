// Pure: an alert: an episode of one symbol out of Normal, from leaving it to coming back (CONTRACT, "Records").
import { z } from 'zod';
import { SymbolSchema, TimestampSchema } from './primitives.ts';
import { AssetClassSchema, PercentSchema } from './records.ts';

export const AlertEpisodeSchema = z.object({
  /** Stays the same for the life of the episode, and after a restart. */
  id: z.string().min(1).max(128),
  symbol: SymbolSchema,
  asset_class: AssetClassSchema,
  /** The riskiest state so far; state_name, regime, confidence and note are those of entering it. */
  peak_state: z.union([z.literal(1), z.literal(2)]),
  state_name: z.enum(['elevated', 'high_risk']),
  started_at: TimestampSchema,
  /** null while the episode is open. */
  ended_at: TimestampSchema.nullable(),
  duration_seconds: z.number().int().nonnegative().nullable(),
  active: z.boolean(),
  /** event_ids of its transitions that the event log has or had, oldest first. */
  transitions: z.array(z.string()),
  regime: z.string().nullable(),
  confidence: PercentSchema.nullable(),
  note: z.string(),
});
export type AlertEpisode = z.infer<typeof AlertEpisodeSchema>;
