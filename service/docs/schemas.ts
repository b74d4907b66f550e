// Service, docs: converts wire schemas with descriptions and examples to OpenAPI 3.0. Pure.
import { z } from 'zod';
import { type Json, plain } from './plain.ts';

/** The schemas also check the calendar, in 300 characters; this pattern is enough for a reader. */
const TIMESTAMP_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$';

const OPTIONS = {
  target: 'openapi-3.0',
  unrepresentable: 'any',
  override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    // v1 only ever adds fields, so clients must accept unknown ones.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    if (jsonSchema.type === 'number' && jsonSchema.enum?.every(Number.isInteger)) jsonSchema.type = 'integer';
    if (jsonSchema.format === 'date-time' && jsonSchema.pattern?.includes('\\.\\d{3}'))
      jsonSchema.pattern = TIMESTAMP_PATTERN;
    delete jsonSchema.$schema;
    delete jsonSchema.id;
  },
} as const;

const SCHEMA_PREFIX = '#/components/schemas/';
const referenceTo = (id: string): string => `${SCHEMA_PREFIX}${id}`;

export type Components = Readonly<Record<string, Json>>;
let components: Components | null = null;

/** Every wire schema with an id, in its output form. Derived at the first call: it takes some 30 ms. */
export function componentSchemas(): Components {
  components ??= deriveComponents();
  return components;
}

function deriveComponents(): Components {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...OPTIONS, io: 'output', uri: referenceTo });
  // OpenAPI 3.0 has neither $id nor $schema.
  const exact: Components = Object.fromEntries(
    Object.entries(schemas)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { $id: _, $schema: __, ...schema }]) => [id, schema]),
  );
  return Object.fromEntries(Object.entries(exact).map(([id, schema]) => [id, asPlain(schema, exact)]));
}

const asPlain = (schema: Json, known: Components): Json =>
  plain(
    schema,
    (reference) => resolved(reference, known),
    (one) => exampleOf(one, known),
  );

const resolved = (reference: string, known: Components): Json => known[reference.slice(SCHEMA_PREFIX.length)] ?? {};

/** The schema of an answer; parts with an id are references. */
export function replySchema(schema: z.ZodType): Json {
  const id = schema.meta()?.id;
  if (id !== undefined) return { $ref: referenceTo(id) };
  const { $defs: _, definitions: __, ...own } = z.toJSONSchema(schema, { ...OPTIONS, io: 'output' });
  const exact = JSON.parse(JSON.stringify(own).replaceAll(/#\/(\$defs|definitions)\//g, SCHEMA_PREFIX)) as Json;
  return asPlain(exact, componentSchemas());
}

const inputSchema = (schema: z.ZodType): Json => z.toJSONSchema(schema, { ...OPTIONS, io: 'input' }) as Json;
export const bodySchema = (schema: z.ZodType): Json => asPlain(inputSchema(schema), componentSchemas());

/** The example of a schema, composed of the examples of its fields; undefined without any. */
export function exampleOf(schema: Json, known?: Components): unknown {
  const { example, $ref, enum: values, properties, items } = schema;
  if (example !== undefined) return example;
  if (typeof $ref === 'string') return exampleOf(resolved($ref, known ?? componentSchemas()), known);
  const [first] = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((one) => (one as Json[] | undefined) ?? []);
  if (first !== undefined) return exampleOf(first, known);
  if (Array.isArray(values)) return values[0];
  if (items !== undefined) return [exampleOf(items as Json, known)];
  if (properties === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(properties as Record<string, Json>)
      .map(([name, field]) => [name, exampleOf(field, known)])
      .filter(([, value]) => value !== undefined),
  );
}

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly example: unknown;
  readonly schema: Json;
}

/** The fields of a path, a query or a body. */
export function parametersOf(schema: z.ZodType): Parameter[] {
  const given = ObjectSchema.parse(inputSchema(schema));
  const read = ObjectSchema.parse(z.toJSONSchema(schema, { ...OPTIONS, io: 'output' }));
  return Object.entries(given.properties).map(([name, { description, example, ...form }]) => {
    const own = asPlain(parameterSchema(form, read.properties[name] ?? {}), componentSchemas());
    return { name, required: given.required.includes(name), description: String(description), example, schema: own };
  });
}

/** Query values are text: a number is documented as parsed, a list as an array. */
function parameterSchema(given: Json, { description: _, example: __, ...read }: Json): Json {
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
