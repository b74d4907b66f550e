// SDK generator: the schemas of an OpenAPI document as JSON Schema for quicktype.
// They are loosened, so that an additive change breaks no client.
export type Schema = { readonly [name: string]: unknown };

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** alertTransitions, alert-transitions, alert_transitions: AlertTransitions. */
export const pascal = (name: string): string =>
  name.replaceAll(/(^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, __, letter: string) => letter.toUpperCase());

/**
 * What a newer service may change: names that it adds must not fail, and times stay text in every language. Bounds are
 * the service's to check.
 */
const LOOSENED = [
  'enum',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'example',
  'default',
  'nullable',
];

/** @param name what a record without a name is called */
export function loosened(schema: unknown, name: string): unknown {
  if (Array.isArray(schema)) return schema.map((one) => loosened(one, name));
  if (!isSchema(schema)) return schema;
  const kept = Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !LOOSENED.includes(key))
      .map(([key, value]) => [key, part(key, value, name)]),
  );
  const named = kept.type === 'object' && isSchema(kept.properties) ? { ...kept, title: name } : kept;
  if (schema.nullable !== true) return named;
  if (typeof named.type === 'string') return { ...named, type: [named.type, 'null'] };
  return { anyOf: [named, { type: 'null' }] };
}

function part(key: string, value: unknown, name: string): unknown {
  if (key === '$ref') return String(value).replace('#/components/schemas/', '#/definitions/');
  if (key === 'properties' && isSchema(value))
    return Object.fromEntries(
      Object.entries(value).map(([own, schema]) => [own, loosened(schema, name + pascal(own))]),
    );
  if (key === 'required' || typeof value !== 'object') return value;
  return loosened(value, name);
}
