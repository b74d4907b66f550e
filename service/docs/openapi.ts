// Service, docs: the OpenAPI 3.0 document, from the table of routes, its schemas and the table of errors. Pure.
import type { z } from 'zod';
import { ERRORS, type ErrorKind } from '../../shared/wire/errors.ts';
import { EventEnvelopeSchema } from '../../shared/wire/events.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import { minuteLimit, PLANS, termsOf } from '../../shared/wire/limits.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { type RouteName, routes } from '../../shared/wire/routes.ts';
import { encodeFrame, RESUME_HEADER } from '../../shared/wire/sse.ts';
import { IDEMPOTENCY_HEADER, SIGNATURE_HEADER, STANDARD_HEADERS } from '../../shared/wire/subscriptions.ts';
import { errorBody, PROBLEM_TYPE, problemBody } from '../routes/refusal.ts';
import { EXAMPLES } from './examples.ts';
import { ERROR_WORDS, HEADER_WORDS, type HeaderName, PARAMETER_WORDS } from './pages.ts';
import { bodySchema, componentSchemas, type Json, parameterSchemas, replySchema } from './schemas.ts';

export interface DocumentParts {
  readonly environment: Environment;
  readonly version: string;
  /** Base of every path. */
  readonly publicUrl: string;
}

/** Endpoints beside the table of routes. */
export const DOCUMENT_PATHS = { openapi: '/openapi.json', docs: '/docs' } as const;

/** Headers that every answer has. */
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
const SUCCESS_WORDS: Readonly<Record<number, string>> = {
  200: 'The answer.',
  201: 'Created.',
  304: 'The answer is still the one of this tag.',
};

/** What a route can answer besides success: its own errors, and what every route like it can. */
export function errorsOf({ access, method, errors }: AnyRoute): ErrorKind[] {
  return [
    ...new Set<ErrorKind>([
      ...errors,
      'forbidden',
      'internal',
      ...(access === 'open' ? [] : (['invalid_request', 'unauthorized', 'rate_limited', 'temporarily_unavailable'] as const)),
      ...(method === 'GET' ? [] : (['invalid_request', 'too_large', 'unsupported_media_type'] as const)),
    ]),
  ];
}

/** The rows of the table that exist in this environment. */
export const routesOf = (environment: Environment): [RouteName, AnyRoute][] =>
  (Object.entries(routes) as [RouteName, AnyRoute][]).filter(([, { only }]) => only === undefined || only === environment);

/** @returns a document that is complete by itself: every reference points into it */
export function openapiDocument({ environment, version, publicUrl }: DocumentParts): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, route] of routesOf(environment)) {
    const path = route.path.replaceAll(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(name, route, publicUrl) };
  }
  paths[DOCUMENT_PATHS.openapi] = { get: documentOperation('openapi', 'This document', 'application/json', { type: 'object' }) };
  paths[DOCUMENT_PATHS.docs] = { get: documentOperation('docs', 'The documentation, to be read', 'text/html', { type: 'string' }) };
  return {
    openapi: '3.0.3',
    info: {
      title: 'Market Risk Signal Service',
      version,
      description: `Signals of market risk: states, regimes, factors, and the events in between. This is the ${environment} environment.`,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    externalDocs: { url: `${publicUrl}${DOCUMENT_PATHS.docs}` },
    servers: [{ url: publicUrl, description: environment }],
    tags: TAGS.map(([tag]) => ({ name: tag })),
    security: KEYS,
    paths,
    components: {
      schemas: componentSchemas(),
      headers: Object.fromEntries(
        Object.entries(HEADER_WORDS).map(([name, [type, description, example]]) => [name, { description, schema: { type }, example }]),
      ),
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of this environment.' },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The same key, as Authorization: Bearer.' },
      },
    },
  };
}

const KEYS = [{ ApiKey: [] }, { Bearer: [] }];
const TAGS: readonly (readonly [string, RegExp])[] = [
  ['Service', /^\/(health)?$/],
  ['Webhooks', /^\/signals\//],
  ['Events', /^\/(events|stream)$|^\/sandbox\//],
  ['Signals', /./],
];

const headersOf = (...names: readonly HeaderName[]): Json =>
  Object.fromEntries([...COMMON, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function documentOperation(operationId: string, summary: string, type: string, schema: Json): Json {
  const ok = { description: 'The answer.', headers: headersOf(), content: { [type]: { schema } } };
  return { operationId, summary, tags: ['Service'], security: [], responses: { 200: ok } };
}

function operationOf(name: RouteName, route: AnyRoute, publicUrl: string): Json {
  const statuses = route.success ?? [200];
  const parameters = [
    ...parametersOf(route.params, 'path'),
    ...parametersOf(route.query, 'query'),
    ...(route.idempotent ? [header(IDEMPOTENCY_HEADER, 'The same key and body get the same answer for 24 hours.')] : []),
    ...(statuses.includes(304) ? [header('If-None-Match', 'ETag of an answer that was kept.')] : []),
    ...(route.content === 'stream'
      ? [header('Last-Event-ID', 'event_id of the last event received; what came after it is sent first.')]
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
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === null ? {} : { requestBody: requestBody(route.body, name) }),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, successOf(name, route, status)])),
      ...errorResponses(route, publicUrl),
    },
    ...(name === 'subscribe' ? { callbacks: { event: { '{$request.body#/url}': { post: webhookOperation() } } } } : {}),
  };
}

function parametersOf(fields: z.ZodType, place: 'path' | 'query'): Json[] {
  return parameterSchemas(fields).map(({ name, required, schema }) => ({
    name,
    in: place,
    required: place === 'path' || required,
    description: PARAMETER_WORDS[name],
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  }));
}
const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

const BODY_EXAMPLES: Partial<Record<RouteName, Json>> = {
  trigger: { event: 'signal.high_risk', symbol: 'SPY' },
  subscribe: { url: 'https://example.com/hooks/risk', events: ['signal.high_risk'], symbols: ['SPY'] },
  resumeSubscription: { since: '2026-03-01T00:00:00Z' },
};
const requestBody = (body: z.ZodType, name: RouteName): Json => ({
  required: !body.safeParse(undefined).success,
  content: { 'application/json': { schema: bodySchema(body), example: BODY_EXAMPLES[name] } },
});

function successOf(name: RouteName, route: AnyRoute, status: number): Json {
  const tagged: HeaderName[] = route.success?.includes(304) ? ['ETag'] : [];
  const description = SUCCESS_WORDS[status] ?? 'Success.';
  if (status === 304) return { description, headers: headersOf(...tagged) };
  if (route.content === 'stream') {
    const { stream } = EXAMPLES;
    return {
      description: `Events, as they happen. The data of each is one line of JSON, an Event: ${RESUME_HEADER} says how the stream was resumed.`,
      headers: headersOf('X-Accel-Buffering', 'X-Stream-Resume'),
      content: {
        'text/event-stream': {
          schema: { type: 'string' },
          example: encodeFrame(stream.event_id, stream.event, JSON.stringify(stream)),
          'x-event-data': replySchema(route.reply),
        },
      },
    };
  }
  const content = { 'application/json': { schema: replySchema(route.reply), example: EXAMPLES[name] } };
  return { description, headers: headersOf(...tagged), content };
}

/** One response a status; several kinds may share it. */
function errorResponses(route: AnyRoute, publicUrl: string): Record<string, Json> {
  const byStatus = Map.groupBy(errorsOf(route), (kind) => ERRORS[kind].status);
  return Object.fromEntries(
    [...byStatus].map(([status, kinds]) => {
      const bodies = kinds.map((kind) => [kind, errorBody(kind, route.spelling, ERROR_WORDS[kind], publicUrl)] as const);
      const code = { type: 'object', properties: { code: { type: 'string', enum: [...new Set(bodies.map(([, body]) => body.code))] } } };
      const schema = { allOf: [{ $ref: '#/components/schemas/Error' }, code] };
      const plain = Object.fromEntries(bodies.map(([kind, body]) => [kind, { value: body }]));
      const problems = Object.fromEntries(bodies.map(([kind, body]) => [kind, { value: problemBody(kind, body, 'req_Zk3v0pQx81Ls') }]));
      const named: HeaderName[] = status === 401 ? ['WWW-Authenticate'] : status === 429 || status === 503 ? ['Retry-After'] : [];
      const content = { 'application/json': { schema, examples: plain }, [PROBLEM_TYPE]: { schema, examples: problems } };
      return [status, { description: kinds.map((kind) => ERROR_WORDS[kind]).join(' '), headers: headersOf(...named), content }];
    }),
  );
}

function webhookOperation(): Json {
  return {
    operationId: 'receiveEvent',
    summary: 'An event, sent to a subscriber',
    security: [],
    parameters: [
      header(SIGNATURE_HEADER, 'Lowercase hex HMAC-SHA256 of the raw body, keyed on the characters of the signing secret.'),
      header(STANDARD_HEADERS.id, 'event_id.'),
      header(STANDARD_HEADERS.timestamp, 'Seconds since 1970 of this attempt.'),
      header(STANDARD_HEADERS.signature, 'Signatures of Standard Webhooks, separated by spaces.'),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: replySchema(EventEnvelopeSchema), example: EXAMPLES.stream } },
    },
    responses: {
      '2XX': { description: 'Delivered.' },
      default: { description: 'Not delivered; it is tried again.' },
    },
  };
}
