// Pure: the events of the service: names, data, and the envelope of webhooks, stream and /events.
import { z } from 'zod';
import type { State } from '../domain/states.ts';
import { EventIdSchema, SymbolSchema, TimestampSchema } from './primitives.ts';
import {
  ConfidenceSchema,
  NoteSchema,
  RegimeNameSchema,
  StateNameSchema,
  StateSchema,
  TransitionRecordSchema,
} from './records.ts';

export const SIGNAL_EVENTS = ['signal.normal', 'signal.elevated', 'signal.high_risk'] as const;
export type SignalEventName = (typeof SIGNAL_EVENTS)[number];

export const EVENT_NAMES = [...SIGNAL_EVENTS, 'regime.flip', 'briefing.published', 'model.version'] as const;
export type EventName = (typeof EVENT_NAMES)[number];

export const EventNameSchema = z
  .enum(EVENT_NAMES)
  .meta({ description: 'Name of the event.', example: 'signal.high_risk' });

/** The event that announces entering `state`. */
export const signalEvent = (state: State): SignalEventName => SIGNAL_EVENTS[state];

export const BRIEFING_TYPES = ['pre-market', 'midday', 'after-hours', 'weekly', 'transition', 'deep'] as const;

export const RegimeFlipSchema = z.object({
  symbol: SymbolSchema,
  from_regime: RegimeNameSchema.meta({ description: `Regime before. ${RegimeNameSchema.description}` }),
  to_regime: RegimeNameSchema.meta({ description: `Regime since. ${RegimeNameSchema.description}` }),
  confidence: ConfidenceSchema,
});
export const BriefingNoticeSchema = z.object({
  id: z.string().meta({ description: 'Id of the record; it never changes.' }),
  type: z.enum(BRIEFING_TYPES).meta({ description: 'Kind of briefing.' }),
  title: z.string().meta({ description: 'Its title.' }),
  author: z.string().meta({ description: 'A desk, or the author of an editorial.' }),
  date: TimestampSchema.meta({ description: 'When it was published.' }),
});
/**
 * Data of signal.created, which only the sandbox trigger sends. It repeats a state and is not a transition.
 */
export const SignalCreatedSchema = z.object({
  symbol: SymbolSchema,
  state: StateSchema,
  state_name: StateNameSchema,
  regime: RegimeNameSchema.nullable().optional(),
  confidence: ConfidenceSchema,
  note: NoteSchema,
});
export const ModelVersionSchema = z.object({
  version: z.string().meta({ description: 'Version that decides from now on.' }),
  previous: z.string().nullable().meta({ description: 'Version before; null for the first one.' }),
  effective_at: TimestampSchema.meta({ description: 'From when on the version decides.' }),
});

const envelope = <Name extends EventName | 'signal.created', Data extends z.ZodType>(event: Name, data: Data) =>
  z.object({
    event_id: EventIdSchema,
    seq: z.number().int().positive().meta({
      description: "Place in the service's event log, from 1, without holes.",
      example: 681,
    }),
    event: z.literal(event).meta({ description: 'Name of the event.' }),
    timestamp: TimestampSchema.meta({ description: 'When it happened, in the time of the world.' }),
    data,
  });

export const EventEnvelopeSchema = z
  .discriminatedUnion('event', [
    envelope('signal.high_risk', TransitionRecordSchema),
    envelope('signal.elevated', TransitionRecordSchema),
    envelope('signal.normal', TransitionRecordSchema),
    envelope('regime.flip', RegimeFlipSchema.meta({ description: 'What happened.' })),
    envelope('briefing.published', BriefingNoticeSchema.meta({ description: 'What happened.' })),
    envelope('model.version', ModelVersionSchema.meta({ description: 'What happened.' })),
    envelope('signal.created', SignalCreatedSchema.meta({ description: 'What happened.' })),
  ])
  .meta({ id: 'Event', description: 'An event: the one envelope that webhooks, /stream and /events share.' });
export type EventEnvelope = z.infer<typeof EventEnvelopeSchema>;
export type SignalEnvelope = Extract<EventEnvelope, { event: SignalEventName }>;

const SIGNAL_EVENT_NAMES: ReadonlySet<string> = new Set(SIGNAL_EVENTS);
/** True for the three transitions; not for the alias signal.created. */
export const isSignalEvent = (envelope: EventEnvelope): envelope is SignalEnvelope =>
  SIGNAL_EVENT_NAMES.has(envelope.event);
