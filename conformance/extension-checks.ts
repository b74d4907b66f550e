// Conformance: extensions of a service beyond the specification; they are reported and never fail.
import { randomUUID } from 'node:crypto';
import { EVENT_NAMES } from '../shared/wire/events.ts';
import { type Check, check, extension, extensionCheck, firstOf, type Outcome, skipped } from './check.ts';
import { documentedOperations, documentedParameters } from './documented.ts';
import { briefingsPath } from './list-endpoints.ts';
import { readPushedEvent, streamEvents } from './push-run.ts';
import { arrayOf, fieldsOf, objectsIn } from './shapes.ts';

const STATED = new Set([
  ...['/health', '/', '/snapshot', '/signal', '/history', '/alert-transitions', '/alerts', '/stream', '/factors'],
  ...['/market-news', '/regime/{symbol}', '/regime/{symbol}/history', '/api/validation/metrics'],
  '/api/archetypes/current',
]);
/** Specified parameters of the endpoints; lists also take limit and after. */
const STATED_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  '/alert-transitions': ['state', 'regime', 'class'],
  '/stream': ['symbols', 'severity', 'regime'],
  '/regime/{symbol}': ['symbol', 'as_of'],
  '/regime/{symbol}/history': ['symbol', 'from', 'to', 'granularity'],
  '/api/archetypes/current': ['symbol'],
};
/** The records with specified fields, and these fields. */
const RECORDS: readonly (readonly [path: string, fields: readonly string[]])[] = [
  ['/signal?symbol=', ['symbol', 'state', 'confidence', 'note']],
  ['/api/validation/metrics', ['computed_at', 'symbols', 'provenance']],
  ['/api/archetypes/current?symbol=', ['symbol', 'timestamp', 'powers']],
];
const NAMES: ReadonlySet<string | null> = new Set([...EVENT_NAMES, 'signal.created']);

const extensionsFound = (found: readonly string[], none: string): Outcome =>
  found.length === 0 ? skipped(none) : extension(found.join(', '));

export const EXTENSION_CHECKS: readonly Check[] = [
  check('4', 'own-endpoints', 'Endpoints beyond the specification', async ({ probe }) => {
    const archive = await briefingsPath(probe);
    const isStated = (operation: string): boolean => {
      const [method, path = ''] = operation.split(' ');
      if (operation === 'POST /signals/subscribe') return true;
      return method === 'GET' && (STATED.has(path) || (archive !== null && path.startsWith(archive)));
    };
    const found = (await documentedOperations(probe)).filter((operation) => !isStated(operation));
    return extensionsFound(found, 'its OpenAPI document has none');
  }),
  check('4', 'own-parameters', 'Parameters beyond the specification', async ({ probe }) => {
    const found: string[] = [];
    for (const path of STATED)
      for (const name of await documentedParameters(probe, path))
        if (!['limit', 'after', ...(STATED_PARAMETERS[path] ?? [])].includes(name)) found.push(`${path}?${name}=`);
    return extensionsFound(found, 'its OpenAPI document has none');
  }),
  check('2', 'own-fields', 'Fields beyond the specification', async ({ probe }) => {
    const found: string[] = [];
    for (const [path, fields] of RECORDS) {
      const { body } = await probe.get(path.endsWith('=') ? `${path}${await probe.symbol()}` : path);
      const own = Object.keys(fieldsOf(body) ?? {}).filter((name) => !fields.includes(name));
      if (own.length > 0) found.push(`${path.split('?')[0]}: ${own.join(', ')}`);
    }
    return extensionsFound(found, 'the records whose fields are stated have none');
  }),
  check('6', 'own-events', 'Events of the stream beyond the specification', async (subject) => {
    const { stream, arrivals } = await subject.pushRun();
    const names = [
      ...streamEvents(stream),
      ...arrivals.good.flatMap(({ body }) => readPushedEvent(body.toString('utf8')) ?? []),
    ].map(({ name }) => name);
    const own = [...new Set(names)].filter((name) => !NAMES.has(name)).map((name) => name ?? 'one without a name');
    return extensionsFound(own, 'none was pushed');
  }),
  extensionCheck(
    '4',
    'desk-acts',
    'An act of a desk is kept once for its id, and listed after the act before it (own extension)',
    async ({ probe }) => {
      const had = await probe.ask('/desk/acts?limit=1');
      if (had.status === 404) return skipped('this service has no desk');
      if (!probe.mayWrite) return skipped('nothing is to be written');
      const at = new Date(probe.clock.now()).toISOString();
      const act = { event_id: 'conformance', act: 'noted', by: 'conformance', at, note: 'A check.', releases: [] };
      const post = (id: string, by: string) => probe.ask('/desk/acts', { method: 'POST', body: { ...act, id, by } });
      const [first, second] = [randomUUID(), randomUUID()];
      const added = await post(first, 'conformance');
      const again = await post(first, 'another');
      await post(second, 'conformance');
      const listed = await probe.ask(`/desk/acts?after=${first}`);
      const next = objectsIn(arrayOf(fieldsOf(listed.body)?.data) ?? []).map((row) => row.id);
      return firstOf([
        added.status === 201 ? null : `a new act was answered with ${added.status}`,
        again.status === 200 && fieldsOf(again.body)?.by === 'conformance' ? null : 'a repeated id changed the act',
        next.includes(second) && !next.includes(first) ? null : 'the list does not go on after the act before',
      ]);
    },
  ),
];
