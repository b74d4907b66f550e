// Main, command line: the OpenAPI document of the read API, derived from the table that answers it.
import { z } from 'zod';
import manifest from '../../../package.json' with { type: 'json' };
import { MessageSchema } from '../../../shared/text/message.ts';
import { TOOLS, type Tool } from '../mcp/tools.ts';

type Json = Readonly<Record<string, unknown>>;
const DEFINITIONS = '#/$defs/';

/** Schemas with an id, for `components`. */
const components: Record<string, unknown> = {};

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const {
    $schema: _,
    $defs = {},
    ...own
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if ((zodSchema as unknown) !== MessageSchema) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
      jsonSchema.type = 'string';
    },
  });
  const hoisted = JSON.parse(JSON.stringify({ own, $defs }).replaceAll(DEFINITIONS, '#/components/schemas/'));
  Object.assign(components, hoisted.$defs);
  return hoisted.own;
}

/** The parameters of a request, with the JSON Schema of each. */
export function parametersOf({
  path = '',
  input,
}: Tool): { name: string; in: string; required: boolean; schema: Json }[] {
  const { properties = {}, required = [] } = schemaOf(input, 'input') as { properties?: object; required?: string[] };
  return Object.entries(properties).map(([name, schema]) => {
    const isInPath = path.includes(`{${name}}`);
    return { name, in: isInPath ? 'path' : 'query', required: isInPath || required.includes(name), schema };
  });
}

const ERROR = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'string' }, message: { type: 'string' } },
};
const STATUSES: Readonly<Record<number, string>> = {
  400: 'A parameter is wrong; `message` says which.',
  401: 'No token, or one that is not known.',
  403: 'The token has another scope.',
  404: 'There is no such alert, symbol, rule or path.',
  503: 'The app does not run, or does not answer.',
};
const errorsOf = (): Json =>
  Object.fromEntries(
    Object.entries(STATUSES).map(([status, description]) => [
      status,
      { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
    ]),
  );

export function openApiDocument(address: string): Json {
  const paths = Object.fromEntries(
    TOOLS.flatMap((tool) => {
      const { path, name, title, description, scope, output } = tool;
      if (path === undefined) return [];
      const schema = output === undefined ? { type: 'object' } : schemaOf(output, 'output');
      const get = {
        operationId: name,
        summary: title,
        description: `${description} Scope: ${scope}.`,
        parameters: parametersOf(tool),
        responses: { 200: { description: title, content: { 'application/json': { schema } } }, ...errorsOf() },
      };
      return [[path, { get }]];
    }),
  );
  return {
    openapi: '3.1.0',
    info: { title: 'Barograph, read API', version: manifest.version },
    servers: [{ url: address }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: { ...components, Error: ERROR },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}
