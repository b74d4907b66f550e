// Service, docs: makes a derived schema readable: what each field means, integers as integers, timestamps without the long expression. Pure.
import { FACTOR_DIMENSIONS } from '../../shared/domain/factors.ts';
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts';

type Node = Record<string, unknown>;

/** What every timestamp of an answer looks like; the expression that the schema carries knows the calendar as well. */
const TIMESTAMP_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$';

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const DIMENSION_DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ...FACTOR_DIMENSIONS.map(({ key, description }) => [key, `${description}.`] as const),
  ...FACTOR_DIMENSIONS.map(({ code, name }) => [code, `${name}.`] as const),
]);

/** Description of the field `name` of `record`; `path` is its path in it. */
function descriptionOf(record: string, path: readonly string[], name: string): string | undefined {
  return (
    FIELD_DESCRIPTIONS[[record, ...path, name].join('.')] ??
    FIELD_DESCRIPTIONS[`${record}.${name}`] ??
    FIELD_DESCRIPTIONS[name] ??
    DIMENSION_DESCRIPTIONS.get(name)
  );
}

/** 0 | 1 | 2 as three alternatives is an integer of three values. */
function joined(node: Node): Node {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf)) return node;
  const values = anyOf.flatMap((one) =>
    isNode(one) && one.type === 'number' && Array.isArray(one.enum) ? one.enum : [null],
  );
  return values.every(Number.isInteger) ? { ...rest, type: 'integer', enum: values } : node;
}

/**
 * @param record its name: of a component, or of the route
 * @returns the same schema; a field that a reference describes keeps the reference's description
 */
export function polish(schema: unknown, record: string, path: readonly string[] = []): unknown {
  if (Array.isArray(schema)) return schema.map((one) => polish(one, record, path));
  if (!isNode(schema)) return schema;
  const node = joined(schema);
  const isTimestamp =
    node.format === 'date-time' && typeof node.pattern === 'string' && node.pattern.includes('\\.\\d{3}');
  const entries = Object.entries(node).map(([key, value]) => {
    if (key === 'properties' && isNode(value)) return [key, fields(value, record, path)];
    if (key === 'pattern' && isTimestamp) return [key, TIMESTAMP_PATTERN];
    return key === 'enum' || key === 'required' ? [key, value] : [key, polish(value, record, path)];
  });
  return Object.fromEntries(entries);
}

function fields(properties: Node, record: string, path: readonly string[]): Node {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      const polished = polish(value, record, [...path, name]) as Node;
      const description = descriptionOf(record, path, name);
      return [name, '$ref' in polished || description === undefined ? polished : { description, ...polished }];
    }),
  );
}
