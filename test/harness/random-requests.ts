// Test harness: random requests from an OpenAPI document: valid, invalid and malformed ones.
import {
  type Arbitrary,
  array,
  constant,
  constantFrom,
  integer,
  jsonValue,
  nat,
  oneof,
  option,
  record,
  string,
  tuple,
} from 'fast-check';
import { z } from 'zod';

const SchemaSchema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});
type Schema = z.infer<typeof SchemaSchema>;
const ParameterSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  schema: SchemaSchema,
  example: z.unknown(),
});
const ContentSchema = z.record(z.string(), z.object({ schema: z.unknown(), example: z.unknown().optional() }));
const ResponseSchema = z.object({ content: ContentSchema.optional() });
const OperationSchema = z.object({
  operationId: z.string(),
  parameters: z.array(ParameterSchema).default([]),
  requestBody: z
    .object({ content: z.object({ 'application/json': z.object({ schema: SchemaSchema, example: z.unknown() }) }) })
    .optional(),
  responses: z.record(z.string(), z.union([z.object({ $ref: z.string() }), ResponseSchema])),
});
const DocumentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), OperationSchema)),
  components: z.object({ responses: z.record(z.string(), ResponseSchema) }),
});

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly z.infer<typeof ParameterSchema>[];
  readonly body: { readonly schema: Schema; readonly example?: unknown } | null;
  /** By status; references are resolved. */
  readonly responses: Readonly<Record<string, z.infer<typeof ResponseSchema>>>;
}

/** @param real valid values by the name of their parameter; they replace the example */
export function operationsOf(document: unknown, real: Readonly<Record<string, unknown>>): Operation[] {
  const { paths, components } = DocumentSchema.parse(document);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      id: one.operationId,
      method: method.toUpperCase(),
      path,
      parameters: one.parameters.map((parameter) => ({
        ...parameter,
        example: real[parameter.name] ?? parameter.example,
      })),
      body: one.requestBody?.content['application/json'] ?? null,
      responses: Object.fromEntries(
        Object.entries(one.responses).map(([status, response]) => [
          status,
          '$ref' in response ? (components.responses[response.$ref.split('/').at(-1) ?? ''] ?? {}) : response,
        ]),
      ),
    })),
  );
}

export interface RandomRequest {
  readonly operation: Operation;
  readonly method: string;
  readonly url: string;
  /** The path is the operation's, with its parameters filled in; false: it may be anything. */
  readonly known: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const wrongText = oneof(
  constantFrom(
    '',
    '0',
    '-1',
    '101',
    '1e9',
    '99999999999999999999',
    '1.5',
    'NaN',
    'null',
    'undefined',
    'true',
    '[]',
    '{"$ne":1}',
  ),
  constantFrom(
    '9999-12-31',
    '0000-01-01',
    '2026-02-30',
    '2026-03-01T00:00:00',
    '\u0000',
    '%',
    '../..',
    '<script>',
    "' OR 1=1 --",
    'NOPE',
  ),
  string(),
  string({ unit: 'binary', maxLength: 60 }),
  string({ unit: 'grapheme', maxLength: 20 }),
  string({ minLength: 500, maxLength: 3_000 }),
);
const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
const STRANGERS = ['__proto__', 'constructor', 'toString', 'limit[]', 'a.b'];
const headerText = string({ unit: constantFrom(...'abcXYZ019 ._-=,;"/*'), maxLength: 30 });

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
const listed = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

/** Values of a parameter: mostly right. */
function parameterText({ schema, example }: { schema: Schema; example?: unknown }): Arbitrary<string> {
  const right = schema.enum === undefined ? constant(listed(example)) : constantFrom(...schema.enum.map(String));
  return oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: wrongText });
}

function bodyOf({ body }: Operation): Arbitrary<string | undefined> {
  if (body === null) return oneof({ weight: 4, arbitrary: constant(undefined) }, jsonText, constant('{"half":'));
  const example = JSON.stringify(body.example ?? {});
  const fields = Object.entries(body.schema.properties ?? {}).map(([name, schema]) => {
    const given = SchemaSchema.parse(schema).enum;
    const right = (body.example as Record<string, unknown> | undefined)?.[name];
    return [
      name,
      oneof(constant(right), constantFrom(...(given ?? [right])), jsonValue(), wrongText, integer(), constant(null)),
    ] as const;
  });
  const mixed = record(Object.fromEntries(fields), { requiredKeys: [] }).map((value) => JSON.stringify(value));
  const cut = tuple(oneof(mixed, constant(example)), nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)));
  return oneof(
    { weight: 4, arbitrary: constant(example) },
    { weight: 4, arbitrary: mixed },
    jsonText,
    cut,
    string({ unit: 'binary' }),
    constant(undefined),
    constantFrom(
      '[[[[',
      '{"__proto__":{"event":"signal.normal"}}',
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      `"${'x'.repeat(70_000)}"`,
    ),
  );
}
const jsonText = jsonValue().map((value) => JSON.stringify(value));

function urlOf(operation: Operation): Arbitrary<{ url: string; known: boolean }> {
  const within = operation.parameters.filter((one) => one.in === 'path');
  const query = operation.parameters.filter((one) => one.in === 'query');
  const path = tuple(...within.map((one) => parameterText(one))).map((values) =>
    within.reduce(
      (text, { name }, index) => text.replace(`{${name}}`, () => encoded(values[index] ?? '')),
      operation.path,
    ),
  );
  const pairs = tuple(...query.map((one) => option(parameterText(one), { freq: 2 }))).map((values) =>
    values.flatMap((value, index) => (value === null ? [] : [`${query[index]?.name}=${encoded(value)}`])),
  );
  const needed = query
    .filter(({ name }) => name === 'symbol' || name === 'from')
    .map((one) => `${one.name}=${encoded(listed(one.example))}`);
  const strange = array(
    tuple(constantFrom(...STRANGERS, 'limit'), wrongText).map(([name, value]) => `${name}=${encoded(value)}`),
    { maxLength: 2 },
  );
  const queryTerms = oneof(
    { weight: 2, arbitrary: constant(needed) },
    { weight: 3, arbitrary: pairs },
    tuple(pairs, strange).map((both) => both.flat()),
  );
  const known = tuple(path, queryTerms).map(([at, terms]) => ({
    url: terms.length === 0 ? at : `${at}?${terms.join('&')}`,
    known: !at.includes('//') && !at.endsWith('/'),
  }));
  const unknown = oneof(string(), wrongText).map((text) => ({ url: `/${encoded(text)}`, known: false }));
  return oneof({ weight: 12, arbitrary: known }, { weight: 1, arbitrary: unknown });
}

const headersOf = (operation: Operation, key: string): Arbitrary<Record<string, string>> =>
  record(
    {
      'x-api-key': oneof({ weight: 12, arbitrary: constant(key) }, headerText, constant('svc_live_0123456789abcdef')),
      ...(operation.body === null
        ? {}
        : {
            'content-type': oneof(
              { weight: 8, arbitrary: constant('application/json') },
              headerText,
              constant('text/plain'),
            ),
          }),
      authorization: oneof(headerText, constant(`Bearer ${key}`)),
      accept: oneof(constant('application/problem+json'), constant('text/html'), headerText),
      'idempotency-key': headerText,
      'if-none-match': oneof(headerText, constant('*')),
      'last-event-id': headerText,
      'x-forwarded-for': headerText,
      'x-request-id': headerText,
      expect: constantFrom('100-continue', 'the-impossible'),
    },
    { requiredKeys: operation.body === null ? ['x-api-key'] : ['x-api-key', 'content-type'] },
  ).chain((all) => option(constant(all), { freq: 3, nil: onlyNeeded(all) }));

const onlyNeeded = (all: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => name === 'x-api-key' || name === 'content-type'));

/**
 * A request to one of the operations: mostly valid, else with wrong values, a wrong method or an unknown
 * path.
 */
export const requestArbitrary = (operations: readonly Operation[], key: string): Arbitrary<RandomRequest> =>
  constantFrom(...operations).chain((operation) =>
    record({
      operation: constant(operation),
      method: oneof({ weight: 8, arbitrary: constant(operation.method) }, constantFrom(...METHODS)),
      at: urlOf(operation),
      headers: headersOf(operation, key),
      body: bodyOf(operation),
    }).map(({ at, ...rest }) => ({ ...rest, ...at })),
  );

/** The same request as it goes over the wire. */
export function textOf({ method, url, headers, body }: RandomRequest, port: number): string {
  const fields = Object.entries({ host: `127.0.0.1:${port}`, connection: 'close', ...headers });
  const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${url} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}${length}\r\n${body ?? ''}`;
}

/** Bytes of a request, cut, changed or extended somewhere. */
export const brokenArbitrary = (operations: readonly Operation[], key: string, port: number): Arbitrary<Buffer> =>
  tuple(
    requestArbitrary(operations, key),
    nat(),
    constantFrom('none', 'cut', 'flip', 'insert', 'repeat'),
    string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  )
    // An answer to HEAD has the length of a body that is absent.
    .filter(([request]) => request.method !== 'HEAD')
    .map(([request, offset, how, piece]) => {
      const whole = Buffer.from(textOf(request, port));
      const at = offset % whole.length;
      if (how === 'cut') return whole.subarray(0, at);
      if (how === 'flip')
        return Buffer.concat([whole.subarray(0, at), Buffer.from([(whole[at] ?? 0) ^ 0x55]), whole.subarray(at + 1)]);
      if (how === 'insert') return Buffer.concat([whole.subarray(0, at), Buffer.from(piece), whole.subarray(at)]);
      return how === 'repeat' ? Buffer.concat([whole, whole]) : whole;
    });
