// Service, docs: the schemas of the wire as OpenAPI 3.0 says them. Those that recur are named components. Pure.
import { z } from 'zod';
import { AlertEpisodeSchema } from '../../shared/wire/alerts.ts';
import { ErrorBodySchema } from '../../shared/wire/errors.ts';
import { EventEnvelopeSchema } from '../../shared/wire/events.ts';
import {
  ArchetypesSchema,
  DimensionSchema,
  FactorPointSchema,
  FactorsSchema,
  NamedPowersSchema,
} from '../../shared/wire/factors.ts';
import {
  HealthSchema,
  HistoryPointSchema,
  RootSchema,
  SignalSchema,
  TransitionSchema,
} from '../../shared/wire/records.ts';
import { RegimePointSchema, RegimeSchema } from '../../shared/wire/regime.ts';
import { DeliverySchema, SubscribeReplySchema, SubscriptionSchema } from '../../shared/wire/subscriptions.ts';
import { ValidationSchema } from '../../shared/wire/validation.ts';
import { RECORD_DESCRIPTIONS } from './field-descriptions.ts';
import { polish } from './polish.ts';

export interface Json {
  readonly [name: string]: unknown;
}

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({
  AlertEpisode: AlertEpisodeSchema,
  Archetypes: ArchetypesSchema,
  Delivery: DeliverySchema,
  Dimension: DimensionSchema,
  Error: ErrorBodySchema,
  Event: EventEnvelopeSchema,
  FactorPoint: FactorPointSchema,
  Factors: FactorsSchema,
  Health: HealthSchema,
  HistoryPoint: HistoryPointSchema,
  NamedPowers: NamedPowersSchema,
  Regime: RegimeSchema,
  RegimePoint: RegimePointSchema,
  Root: RootSchema,
  Signal: SignalSchema,
  Subscribed: SubscribeReplySchema,
  Subscription: SubscriptionSchema,
  Transition: TransitionSchema,
  Validation: ValidationSchema,
})) {
  registry.add(schema, { id });
}

const options = {
  target: 'openapi-3.0',
  unrepresentable: 'any',
  // Fields are only ever added within v1, so clients keep unknown ones.
  override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    delete jsonSchema.$schema;
    delete jsonSchema.id;
  },
} as const;

const SCHEMA_PREFIX = '#/components/schemas/';

/** Every named schema, as an answer has it. */
export function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(registry, { ...options, io: 'output', uri: (id) => `${SCHEMA_PREFIX}${id}` });
  // OpenAPI 3.0 knows neither of the two.
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $id: _, $schema: __, ...schema }]) => [
      id,
      { description: RECORD_DESCRIPTIONS[id], ...(polish(schema, id) as Json) },
    ]),
  );
}

/** What an answer of the route `name` holds; named parts by reference. */
export const replySchema = (schema: z.ZodType, name: string): Json =>
  polish(withReferences(schema, 'output'), name) as Json;

/** What a body of the route `name` has to be. */
export const bodySchema = (schema: z.ZodType, name: string): Json => polish(givenSchema(schema), name) as Json;

const givenSchema = (schema: z.ZodType): Json => z.toJSONSchema(schema, { ...options, io: 'input' }) as Json;

/** The fields of a path or a query: name, whether it is needed, and its schema. */
export function parameterSchemas(schema: z.ZodType): { name: string; required: boolean; schema: Json }[] {
  const given = parseObjectSchema(givenSchema(schema));
  const read = parseObjectSchema(z.toJSONSchema(schema, { ...options, io: 'output' }) as Json);
  return Object.entries(given.properties).map(([name, form]) => ({
    name,
    required: given.required.includes(name),
    schema: parameterSchema(form, read.properties[name] ?? {}),
  }));
}

/** A query carries text alone: a number is what it is read as, a list is an array. */
function parameterSchema(given: Json, read: Json): Json {
  const types = UnionSchema.safeParse(given).data?.anyOf.map(({ type }) => type) ?? [];
  if (types.includes('number')) return read;
  if (!types.includes('array')) return given;
  const items = z.object({ items: z.object({ enum: z.array(z.string()) }) }).safeParse(read);
  return { type: 'array', items: { type: 'string', ...(items.success ? { enum: items.data.items.enum } : {}) } };
}

const UnionSchema = z.object({ anyOf: z.array(z.object({ type: z.string() })) });
const ObjectSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
});
const parseObjectSchema = (schema: Json) => ObjectSchema.parse(schema);

function withReferences(schema: z.ZodType, io: 'input' | 'output'): Json {
  const named = registry.get(schema);
  if (named !== undefined) return { $ref: `${SCHEMA_PREFIX}${named.id}` };
  const { $defs: _, definitions: __, ...own } = z.toJSONSchema(schema, { ...options, io, metadata: registry });
  return JSON.parse(
    JSON.stringify(own).replaceAll(/#\/(\$defs|definitions|components\/schemas)\//g, SCHEMA_PREFIX),
  ) as Json;
}
