// Pure: the fire drill as windows see it: a signed synthetic event on its way through service, inlets, rules, system and acknowledgement.
import { z } from 'zod';
import { TimestampSchema } from '../wire/primitives.ts';
import { intent, push, query } from './channel.ts';

const nothing = z.strictObject({});

/** In order of the way. */
export const DRILL_STEPS = [
  'sent',
  'stream',
  'webhook',
  'written',
  'matched',
  'handed',
  'shown',
  'acknowledged',
] as const;
export type DrillStepName = (typeof DRILL_STEPS)[number];

export const DrillStepSchema = z.strictObject({
  step: z.enum(DRILL_STEPS),
  /** waits: not there yet. passed. failed: it stopped here. skipped: this way is not in use (no relay, no right to trigger), `detail` says why. */
  outcome: z.enum(['waits', 'passed', 'failed', 'skipped']),
  /** ms after the drill began, by this computer's clock; null while it waits or is skipped. */
  after: z.number().int().nonnegative().nullable(),
  detail: z.string(),
});
export type DrillStep = z.infer<typeof DrillStepSchema>;

export const DrillSchema = z.strictObject({
  event_id: z.string().nullable(),
  /** This computer's time. */
  began_at: TimestampSchema,
  /** null while it runs. */
  ended_at: TimestampSchema.nullable(),
  steps: z.array(DrillStepSchema),
  /** One sentence: "You would have been told." */
  words: z.string(),
});
export type Drill = z.infer<typeof DrillSchema>;

/** Answered by `drill.read`, pushed whole by `drill.changed`. `last`: the one under way, or the last one. */
export const DrillFaceSchema = z.strictObject({
  last: DrillSchema.nullable(),
  /** Why none can be run now, in words; null when one can. */
  obstacle: z.string().nullable(),
});
export type DrillFace = z.infer<typeof DrillFaceSchema>;

export const drillChannels = {
  'drill.read': query(nothing, DrillFaceSchema),
  'drill.changed': push(DrillFaceSchema),
  /** Begins one; refused while one is under way. */
  'drill.run': intent(nothing, nothing),
  /** The user saw it: the last step. */
  'drill.acknowledge': intent(nothing, nothing),
} as const;
export type DrillChannels = typeof drillChannels;
