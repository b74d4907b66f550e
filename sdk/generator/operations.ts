// SDK generator: the operations of an OpenAPI document, as every language needs them.
import { isSchema, pascal, type Schema } from './schemas.ts';

export interface Parameter {
  /** As on the wire. */
  readonly name: string;
  readonly location: 'path' | 'query' | 'header' | 'body';
  readonly type: 'text' | 'boolean' | 'integer' | 'decimal' | 'texts';
  readonly isRequired: boolean;
  readonly description: string;
}

export interface Operation {
  /** operationId, in camel case. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** In the order: required first, then as the document has them; `limit` and `after` of a list are not among them. */
  readonly parameters: readonly Parameter[];
  /** Name of the record that is answered, or of one row. */
  readonly record: string;
  readonly isList: boolean;
}

/** Made by hand, or no business of a client. */
const LEFT_OUT = ['stream', 'openapi', 'docs', 'proof'];
/** `events` is the stream, in every language. */
const RENAMED: Readonly<Record<string, string>> = { events: 'eventLog' };
const PAGING = ['limit', 'after'];
const HEADERS = ['idempotency-key'];

/** @returns operations, and the records that only they have: answers without a name of their own */
export function operationsOf(document: Schema): { operations: Operation[]; records: Record<string, Schema> } {
  const operations: Operation[] = [];
  const records: Record<string, Schema> = {};
  for (const [path, methods] of entries(document.paths))
    for (const [method, operation] of entries(methods)) {
      const id = String(operation.operationId);
      if (LEFT_OUT.includes(id)) continue;
      const name = RENAMED[id] ?? id;
      const reply = replyOf(operation);
      const row = rowOf(reply);
      const record = nameIn(row ?? reply) ?? `${pascal(name)}Reply`;
      if (nameIn(row ?? reply) === null) records[record] = reply;
      const parameters = parametersOf(operation, document).filter((one) => row === null || !PAGING.includes(one.name));
      operations.push({
        name,
        method: method.toUpperCase(),
        path,
        summary: String(operation.summary ?? ''),
        parameters: [...parameters].sort((a, b) => Number(b.isRequired) - Number(a.isRequired)),
        record,
        isList: row !== null,
      });
    }
  return { operations, records };
}

/** Where a parameter goes. What the body must have is sent also where it is empty. */
export const placeOf = ({ location, isRequired }: Parameter): string =>
  location === 'body' && isRequired ? 'RequiredBody' : pascal(location);

export const hasParameters = ({ parameters }: Operation): boolean => parameters.length > 0;

const entries = (value: unknown): [string, Schema][] =>
  Object.entries(isSchema(value) ? value : {}).filter((entry): entry is [string, Schema] => isSchema(entry[1]));

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isSchema(inner) ? inner[name] : undefined), value);
}

function replyOf(operation: Schema): Schema {
  const success = entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  const schema = at(success, 'content', 'application/json', 'schema');
  if (!isSchema(schema)) throw new Error(`${operation.operationId} has no answer in JSON`);
  return schema;
}

/** The schema of a row, where every answer is a list in pages. */
function rowOf(reply: Schema): Schema | null {
  const required = Array.isArray(reply.required) ? reply.required : [];
  const row = at(reply, 'properties', 'data', 'items');
  return ['data', 'has_more', 'next_cursor'].every((name) => required.includes(name)) && isSchema(row) ? row : null;
}

const nameIn = ({ $ref }: Schema): string | null =>
  typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? null) : null;

function parametersOf(operation: Schema, document: Schema): Parameter[] {
  const given = Array.isArray(operation.parameters) ? operation.parameters.filter(isSchema) : [];
  const content = at(operation, 'requestBody', 'content', 'application/json', 'schema');
  const named = isSchema(content) ? nameIn(content) : null;
  const body = named === null ? content : at(document, 'components', 'schemas', named);
  const required = at(body, 'required');
  return [
    ...given
      .filter((one) => one.in !== 'header' || HEADERS.includes(String(one.name)))
      .map((one) =>
        parameter(
          String(one.name),
          one.in as Parameter['location'],
          at(one, 'schema'),
          one.required === true,
          one.description,
        ),
      ),
    ...entries(at(body, 'properties')).map(([name, schema]) =>
      parameter(name, 'body', schema, Array.isArray(required) && required.includes(name), schema.description),
    ),
  ];
}

function parameter(
  name: string,
  location: Parameter['location'],
  schema: unknown,
  isRequired: boolean,
  description: unknown,
): Parameter {
  const type = at(schema, 'type');
  return {
    name,
    location,
    type: TYPES[String(type)] ?? 'text',
    isRequired,
    description: typeof description === 'string' ? description : '',
  };
}

/** By the type of a JSON schema; everything else is text. */
const TYPES: Readonly<Record<string, Parameter['type']>> = {
  array: 'texts',
  boolean: 'boolean',
  integer: 'integer',
  number: 'decimal',
};
