// Pure: channels of the page Record: what acting on High Risk brought, and what came of the user's own alerts.
import { z } from 'zod';
import { FOLLOWED } from '../domain/what-followed.ts';
import { CourseSchema, WaySchema, WORTH_GAPS, WorthSchema } from '../domain/worth.ts';
import { SymbolParamSchema, SymbolSchema, TimestampSchema } from '../wire/primitives.ts';
import { query } from './channel.ts';

/** Most symbols that are computed at once. */
export const MAX_WORTH_SYMBOLS = 500;
/** Most alerts that are listed. */
export const MAX_OWN_ALERTS = 1_000;
const SymbolsSchema = z.array(SymbolParamSchema).min(1).max(MAX_WORTH_SYMBOLS);
const questions = {
  symbols: SymbolsSchema,
  way: WaySchema,
  /** Share of the moved money that a turn costs. */
  cost: z.number().min(0).max(0.1),
};

export const WorthRecordSchema = z.strictObject({
  /** False: the service gives no past closes of any symbol. */
  isGiven: z.boolean(),
  /** The symbols with figures together, weighted equally; null: none, or one alone. */
  list: WorthSchema.nullable(),
  /** In the requested order. */
  rows: z.array(z.strictObject({ symbol: SymbolSchema, worth: WorthSchema.or(z.enum(WORTH_GAPS)) })),
});
export type WorthRecord = z.infer<typeof WorthRecordSchema>;

export const WorthCourseSchema = z.strictObject({
  worth: WorthSchema.nullable(),
  course: CourseSchema.nullable(),
  /** Of one symbol: the times out, as first and last day since 1970. */
  out: z.array(z.strictObject({ from: z.number(), to: z.number() })),
});
export type WorthCourse = z.infer<typeof WorthCourseSchema>;

export const OwnAlertsSchema = z.strictObject({
  from: TimestampSchema,
  /** High Risk alerts of these symbols that reached the user, oldest first; the newest, if there are more. */
  alerts: z
    .array(
      z.strictObject({
        ledger_id: z.number().int().positive(),
        symbol: SymbolSchema,
        at: TimestampSchema,
        /** null: not known. */
        followed: z.enum(FOLLOWED).nullable(),
        /** From its arrival to the acknowledgement; null: never. */
        acked_after_ms: z.number().nonnegative().nullable(),
        /** How often such a fall follows any day, percent; null: not stated. */
        usual: z.number().nullable(),
      }),
    )
    .max(MAX_OWN_ALERTS),
});
export type OwnAlerts = z.infer<typeof OwnAlertsSchema>;

export const worthChannels = {
  'worth.read': query(z.strictObject(questions), WorthRecordSchema),
  /** One symbol, or several together. */
  'worth.course': query(z.strictObject(questions), WorthCourseSchema),
  /** Of the last twelve months. */
  'worth.alerts': query(z.strictObject({ symbols: SymbolsSchema }), OwnAlertsSchema),
} as const;
export type WorthChannels = typeof worthChannels;
