// Pure: the events of the service: names, data and the one envelope that webhooks, stream and /events share (specification 6; CONTRACT 29).
import { z } from 'zod';
import type { State } from '../domain/states.ts';
import { SymbolSchema, TimestampSchema } from './primitives.ts';
import { PercentSchema, StateNameSchema, StateSchema, TransitionSchema } from './records.ts';

export const SIGNAL_EVENTS = ['signal.normal', 'signal.elevated', 'signal.high_risk'] as const;
export type SignalEventName = (typeof SIGNAL_EVENTS)[number];

export const EVENT_NAMES = [...SIGNAL_EVENTS, 'regime.flip', 'briefing.published', 'model.version'] as const;
export type EventName = (typeof EVENT_NAMES)[number];

export const EventNameSchema = z.enum(EVENT_NAMES);

/** The event that announces entering `state`. */
export const signalEvent = (state: State): SignalEventName => SIGNAL_EVENTS[state];

export const BRIEFING_TYPES = ['pre-market', 'midday', 'after-hours', 'weekly', 'transition', 'deep'] as const;

export const RegimeFlipSchema = z.object({
  symbol: SymbolSchema,
  from_regime: z.string(),
  to_regime: z.string(),
  confidence: PercentSchema.nullable(),
});
export const BriefingNoticeSchema = z.object({
  id: z.string(),
  type: z.enum(BRIEFING_TYPES),
  title: z.string(),
  author: z.string(),
  date: TimestampSchema,
});
/** Data of signal.created, an alias that only the sandbox's trigger makes (CONTRACT 30): it says a state again, it is no transition. */
export const SignalCreatedSchema = z.object({
  symbol: SymbolSchema,
  state: StateSchema,
  state_name: StateNameSchema,
  confidence: PercentSchema.nullable(),
  note: z.string(),
});
export const ModelVersionSchema = z.object({
  version: z.string(),
  previous: z.string().nullable(),
  effective_at: TimestampSchema,
});

const envelope = <Name extends EventName | 'signal.created', Data extends z.ZodType>(event: Name, data: Data) =>
  z.object({
    /** Sortable by time of occurrence, unique for ever. */
    event_id: z.string().min(1).max(128),
    /** Place in the service's event log, from 1, without holes. */
    seq: z.number().int().positive(),
    event: z.literal(event),
    timestamp: TimestampSchema,
    data,
  });

export const EventEnvelopeSchema = z.discriminatedUnion('event', [
  envelope('signal.normal', TransitionSchema),
  envelope('signal.elevated', TransitionSchema),
  envelope('signal.high_risk', TransitionSchema),
  envelope('regime.flip', RegimeFlipSchema),
  envelope('briefing.published', BriefingNoticeSchema),
  envelope('model.version', ModelVersionSchema),
  envelope('signal.created', SignalCreatedSchema),
]);
export type EventEnvelope = z.infer<typeof EventEnvelopeSchema>;
export type SignalEnvelope = Extract<EventEnvelope, { event: SignalEventName }>;

const SIGNAL_EVENT_NAMES: ReadonlySet<string> = new Set(SIGNAL_EVENTS);
/** True for the three transitions; not for the alias signal.created. */
export const isSignalEvent = (envelope: EventEnvelope): envelope is SignalEnvelope =>
  SIGNAL_EVENT_NAMES.has(envelope.event);
