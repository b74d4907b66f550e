// Service, docs: builds the OpenAPI 3.0 document from routes, schemas and errors. Pure.
import type { z } from 'zod';
import { ERRORS, ErrorBodySchema, type ErrorKind } from '../../shared/wire/errors.ts';
import { type EventEnvelope, EventEnvelopeSchema } from '../../shared/wire/events.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import { minuteLimit, PLANS, termsOf } from '../../shared/wire/limits.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { type RouteName, routes } from '../../shared/wire/routes.ts';
import { encodeEvent, RESUME_HEADER } from '../../shared/wire/sse.ts';
import { IDEMPOTENCY_HEADER, SIGNATURE_HEADER, STANDARD_HEADERS } from '../../shared/wire/subscriptions.ts';
import { errorBody, PROBLEM_TYPE, problemBody, type Spelling } from '../refusal.ts';
import { HEADER_DESCRIPTIONS, type HeaderName } from './pages.ts';
import type { Json } from './plain.ts';
import { bodySchema, componentSchemas, exampleOf, parametersOf, replySchema } from './schemas.ts';

export interface DocumentOptions {
  readonly environment: Environment;
  readonly version: string;
  /** Base of every path. */
  readonly publicUrl: string;
}

/** Endpoints outside the table of routes. */
export const DOCUMENT_PATHS = { openapi: '/openapi.json', docs: '/docs' } as const;

/** An answer of a schema, made of the examples of its fields. */
export const replyExample = (schema: z.ZodType): unknown => exampleOf(replySchema(schema));
const eventExample = (): EventEnvelope => replyExample(EventEnvelopeSchema) as EventEnvelope;

/** Headers of every answer. */
const COMMON: readonly HeaderName[] = [
  'X-Request-Id',
  'X-Service-Version',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Overage',
  'RateLimit',
  'RateLimit-Policy',
  'Cache-Control',
];
const SUCCESS_DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'The answer.',
  201: 'Created.',
  304: 'The answer is still the one of this tag.',
};

/** Errors of every path: an unreadable or slow request, another host, or an internal failure. */
const ANYWHERE = [
  'invalid_request',
  'forbidden',
  'request_timeout',
  'headers_too_large',
  'internal',
] as const satisfies ErrorKind[];

/** The errors of a route: its own, and those of every route like it. */
export function errorsOf({ access, method, path, errors }: AnyRoute): ErrorKind[] {
  return [
    ...new Set<ErrorKind>([
      ...errors,
      ...ANYWHERE,
      // A value that exceeds the limit for a path matches no route.
      ...(path.includes(':') ? (['not_found'] as const) : []),
      ...(access === 'open' ? [] : (['unauthorized', 'rate_limited', 'temporarily_unavailable'] as const)),
      ...(method === 'GET' ? [] : (['too_large', 'unsupported_media_type'] as const)),
    ]),
  ];
}

/** The routes of this environment. */
export const routesOf = (environment: Environment): [RouteName, AnyRoute][] =>
  (Object.entries(routes) as [RouteName, AnyRoute][]).filter(
    ([, { only }]) => only === undefined || only === environment,
  );

/** @returns a self-contained document: every reference resolves within it */
export function openapiDocument({ environment, version, publicUrl }: DocumentOptions): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, route] of routesOf(environment)) {
    const path = route.path.replaceAll(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(name, route, publicUrl) };
  }
  for (const page of PAGES) paths[page.path] = { get: pageOperation(page, publicUrl) };
  return {
    openapi: '3.0.3',
    info: {
      title: 'Market Risk Signal Service',
      version,
      description: `Signals of market risk: states, regimes, factors, and the events in between. This is the ${environment} environment.`,
      contact: { name: 'Market Risk Signal Service', url: `${publicUrl}${DOCUMENT_PATHS.docs}` },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    externalDocs: { url: `${publicUrl}${DOCUMENT_PATHS.docs}` },
    servers: [{ url: publicUrl, description: environment }],
    tags: TAGS.map(([name, , description]) => ({ name, description })),
    security: KEYS,
    paths,
    components: {
      schemas: usedIn(paths, componentSchemas()),
      responses: refusals(environment, publicUrl),
      headers: Object.fromEntries(
        Object.entries(HEADER_DESCRIPTIONS).map(([name, [type, description, example]]) => [
          name,
          { description, schema: { type }, example },
        ]),
      ),
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of this environment.' },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The same key, as Authorization: Bearer.' },
      },
    },
  };
}

/** A union of two records has the fields of both, and no reference to either. */
function usedIn(paths: Json, schemas: Json): Json {
  const text = JSON.stringify([paths, schemas, { $ref: '#/components/schemas/Error' }]);
  return Object.fromEntries(
    Object.entries(schemas).filter(([name]) => text.includes(`"#/components/schemas/${name}"`)),
  );
}

const KEYS = [{ ApiKey: [] }, { Bearer: [] }];
const TAGS: readonly (readonly [name: string, paths: RegExp, description: string])[] = [
  ['Service', /^\/(health|proof|openapi\.json|docs)?$/, 'The service itself; needs no key.'],
  ['Account', /^\/account/, 'The account of a key: its keys, its terms, its calls.'],
  ['Webhooks', /^\/signals\//, 'Subscriptions: where events are sent, and what became of them.'],
  ['Events', /^\/(events|stream)$|^\/sandbox\//, 'Events: the log, the stream, and events on request.'],
  ['Signals', /./, 'Current signals, and how they came about.'],
];

/** Documents outside the table of routes. */
const PAGES = [
  {
    operationId: 'openapi',
    path: DOCUMENT_PATHS.openapi,
    summary: 'This document',
    description: 'The interface for programs. Clients of other languages are generated from it.',
    type: 'application/json',
    schema: { type: 'object', description: 'An OpenAPI 3.0 document.' },
    example: { openapi: '3.0.3', info: { title: 'Market Risk Signal Service', version: '0.1.0' }, paths: {} },
  },
  {
    operationId: 'docs',
    path: DOCUMENT_PATHS.docs,
    summary: 'The documentation, to be read',
    description:
      'Guides, endpoints and errors on one page; doc_url of an error names its section. It loads and runs nothing.',
    type: 'text/html',
    schema: { type: 'string', description: 'A page of HTML.' },
    example: '<!doctype html><html lang="en"><title>Market Risk Signal Service</title></html>',
  },
] as const;

const headersOf = (...names: readonly HeaderName[]): Json =>
  Object.fromEntries([...COMMON, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function pageOperation(
  { operationId, path: _, summary, description, type, schema, example }: (typeof PAGES)[number],
  publicUrl: string,
): Json {
  const ok = { description: 'The answer.', headers: headersOf(), content: { [type]: { schema, example } } };
  const responses = { 200: ok, ...errorResponses([...ANYWHERE], 'lower', publicUrl) };
  return { operationId, summary, description, tags: ['Service'], security: [], responses };
}

function operationOf(name: RouteName, route: AnyRoute, publicUrl: string): Json {
  const statuses = route.success ?? [200];
  const listed = [
    ...parameters(route.params, 'path'),
    ...parameters(route.query, 'query'),
    ...(route.idempotent
      ? [header(IDEMPOTENCY_HEADER, 'The same key and body get the same answer for 24 hours.', '8f14e45f')]
      : []),
    ...(statuses.includes(304) ? [header('If-None-Match', 'ETag of an answer that was kept.', '"5f1c2ab9"')] : []),
    ...(route.content === 'stream'
      ? [
          header(
            'Last-Event-ID',
            'event_id of the last event received; what came after it is sent first.',
            eventExample().event_id,
          ),
        ]
      : []),
  ];
  const minutes = Object.fromEntries(PLANS.map((plan) => [plan, minuteLimit(route.path, termsOf(plan))]));
  return {
    operationId: name,
    summary: route.summary,
    description: `Calls a minute and key: ${PLANS.map((plan) => `${minutes[plan]} (${plan})`).join(', ')}.`,
    'x-minute-limit': minutes,
    tags: [TAGS.find(([, pattern]) => pattern.test(route.path))?.[0]],
    security: route.access === 'open' ? [] : KEYS,
    ...(listed.length === 0 ? {} : { parameters: listed }),
    ...(route.body === null ? {} : { requestBody: requestBody(route.body) }),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, successOf(route, status)])),
      ...errorResponses(errorsOf(route), route.spelling, publicUrl),
    },
    ...(name === 'subscribe' ? { callbacks: { event: { '{$request.body#/url}': { post: webhookOperation() } } } } : {}),
  };
}

const parameters = (fields: z.ZodType, location: 'path' | 'query'): Json[] =>
  parametersOf(fields).map(({ required, schema, ...parameter }) => ({
    ...parameter,
    in: location,
    required: location === 'path' || required,
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  }));

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
  example,
});

function requestBody(body: z.ZodType): Json {
  const schema = bodySchema(body);
  const content = { 'application/json': { schema, example: exampleOf(schema) } };
  return { required: !body.safeParse(undefined).success, content };
}

function successOf(route: AnyRoute, status: number): Json {
  const tagged: HeaderName[] = route.success?.includes(304) ? ['ETag'] : [];
  const description = SUCCESS_DESCRIPTIONS[status] ?? 'Success.';
  if (status === 304) return { description, headers: headersOf(...tagged) };
  if (route.content === 'stream') {
    return {
      description: `Events, as they happen. The data of each is one line of JSON, an Event: ${RESUME_HEADER} says how the stream was resumed.`,
      headers: headersOf('X-Accel-Buffering', 'X-Stream-Resume'),
      content: {
        'text/event-stream': {
          schema: { type: 'string' },
          example: encodeEvent(eventExample()),
          'x-event-data': replySchema(route.reply),
        },
      },
    };
  }
  const example = replyExample(route.reply);
  const content = {
    'application/json': { schema: replySchema(route.reply), example },
    ...(route.csv === undefined ? {} : { 'text/csv': { schema: { type: 'string' }, example: route.csv(example) } }),
  };
  return { description, headers: headersOf(...tagged), content };
}

/** One response per status, by reference; several kinds may share it. */
function errorResponses(kinds: readonly ErrorKind[], spelling: Spelling, publicUrl: string): Record<string, Json> {
  return Object.fromEntries(
    byStatus(kinds).map(([status, shared]) => [
      status,
      { $ref: `#/components/responses/${refusal(shared, spelling, publicUrl).name}` },
    ]),
  );
}

/** Every response that some path references. */
function refusals(environment: Environment, publicUrl: string): Json {
  const all = routesOf(environment).flatMap(([, route]) =>
    byStatus(errorsOf(route)).map(([, kinds]) => [kinds, route.spelling] as const),
  );
  const pages = byStatus(ANYWHERE).map(([, kinds]) => [kinds, 'lower'] as const);
  const named = [...all, ...pages].map(([kinds, spelling]) => refusal(kinds, spelling, publicUrl));
  return Object.fromEntries(named.map(({ name, response }) => [name, response]));
}

const byStatus = (kinds: readonly ErrorKind[]): [number, ErrorKind[]][] => [
  ...Map.groupBy(
    Object.keys(ERRORS).filter((kind): kind is ErrorKind => (kinds as readonly string[]).includes(kind)),
    (kind) => ERRORS[kind].status,
  ),
];

/** Headers of refusals, by status. */
const HEADERS_OF_STATUS: Partial<Record<number, HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After', 'X-Progress'],
};

/**
 * The response of kinds that share a status, and its name: InvalidRequestOrInvalidSymbol,
 * UnauthorizedInCapitals.
 */
function refusal(kinds: readonly ErrorKind[], spelling: Spelling, publicUrl: string): { name: string; response: Json } {
  const bodies = kinds.map((kind) => [kind, errorBody(kind, spelling, ERRORS[kind].description, publicUrl)] as const);
  const codes = [...new Set(bodies.map(([, body]) => body.code))];
  const code = {
    type: 'object',
    properties: { code: { type: 'string', description: ErrorBodySchema.shape.code.description, enum: codes } },
  };
  const schema = { allOf: [{ $ref: '#/components/schemas/Error' }, code] };
  const plain = Object.fromEntries(bodies.map(([kind, body]) => [kind, { value: body }]));
  const problems = Object.fromEntries(
    bodies.map(([kind, body]) => [kind, { value: problemBody(kind, body, 'req_Zk3v0pQx81Ls') }]),
  );
  const responseName = kinds
    .map((kind) => kind.replaceAll(/(^|_)[a-z]/g, (letter) => letter.replace('_', '').toUpperCase()))
    .join('Or');
  const differs = spelling === 'capital' && kinds.some((kind) => ERRORS[kind].code !== ERRORS[kind].capital);
  const status = kinds[0] === undefined ? 500 : ERRORS[kinds[0]].status;
  const named: HeaderName[] = HEADERS_OF_STATUS[status] ?? [];
  const content = { 'application/json': { schema, examples: plain }, [PROBLEM_TYPE]: { schema, examples: problems } };
  return {
    name: differs ? `${responseName}InCapitals` : responseName,
    response: {
      description: kinds.map((kind) => ERRORS[kind].description).join(' '),
      headers: headersOf(...named),
      content,
    },
  };
}

function webhookOperation(): Json {
  return {
    operationId: 'receiveEvent',
    summary: 'An event, sent to a subscriber',
    description: 'Answer 2xx within 10 seconds. The same event may come twice: deduplicate by event_id.',
    tags: ['Webhooks'],
    security: [],
    parameters: [
      header(
        SIGNATURE_HEADER,
        'Lowercase hex HMAC-SHA256 of the raw body, keyed on the characters of the signing secret.',
        'a'.repeat(64),
      ),
      header(STANDARD_HEADERS.id, 'event_id.', eventExample().event_id),
      header(STANDARD_HEADERS.timestamp, 'Seconds since 1970 of this attempt.', '1772461800'),
      header(
        STANDARD_HEADERS.signature,
        'Signatures of Standard Webhooks, separated by spaces.',
        `v1,${'A'.repeat(43)}=`,
      ),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: replySchema(EventEnvelopeSchema), example: eventExample() } },
    },
    responses: {
      '2XX': { description: 'Delivered.' },
      '4XX': { description: 'Not delivered; it is tried again.' },
      default: { description: 'Not delivered; it is tried again.' },
    },
  };
}
