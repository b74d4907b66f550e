// Pure: schema of an alert: an episode of one symbol from leaving Normal until its return.
import { z } from 'zod';
import { EVENT_ID_EXAMPLE, SymbolSchema, TimestampSchema } from './primitives.ts';
import { AssetClassSchema, ConfidenceOfSchema, ConfidenceSchema, NoteSchema, RegimeNameSchema } from './records.ts';

/** regime, confidence, confidence_of and note are the values at the entry of the peak state. */
export const AlertEpisodeSchema = z
  .object({
    id: z.string().min(1).max(128).meta({
      description: 'Id of the record; it never changes.',
      example: 'alt_01KJQDGK78000F1H50DMPES5',
    }),
    symbol: SymbolSchema,
    asset_class: AssetClassSchema,
    peak_state: z.literal([1, 2]).meta({ description: 'The riskiest state so far: 1 Elevated, 2 High Risk.' }),
    state_name: z.enum(['elevated', 'high_risk']).meta({ description: 'The peak state by its name.' }),
    started_at: TimestampSchema.meta({
      description: 'When the symbol left Normal, however long ago.',
      example: '2026-03-02T13:58:57.000Z',
    }),
    began_before_log: z.boolean().optional().meta({
      description:
        'true: it began before the event log. started_at is then the close at which the symbol left Normal, from the prices, and transitions has only those of the log.',
      example: false,
    }),
    ended_at: TimestampSchema.nullable().meta({
      description: 'When the symbol came back to Normal; null while the episode is open.',
      example: '2026-03-02T14:09:57.000Z',
    }),
    duration_seconds: z.number().int().nonnegative().nullable().meta({
      description: 'From beginning to end, seconds; null while the episode is open.',
      example: 660,
    }),
    active: z.boolean().meta({ description: 'True while the episode is open.', example: false }),
    // Includes events that the event log no longer keeps.
    transitions: z.array(z.string()).meta({
      description: 'event_ids of its transitions, oldest first.',
      example: ['evt_01KJQDGK78000F1H50DMPES5', EVENT_ID_EXAMPLE],
    }),
    regime: RegimeNameSchema.nullable(),
    confidence: ConfidenceSchema.meta({
      description:
        'That of entering the peak state, in percent: that what confidence_of names follows. null while the model has none.',
      example: 14,
    }),
    confidence_of: ConfidenceOfSchema,
    note: NoteSchema,
  })
  .meta({ id: 'AlertEpisode', description: 'An alert: an episode of one symbol out of Normal.' });
export type AlertEpisode = z.infer<typeof AlertEpisodeSchema>;
