// Conformance: observed behaviour of a service that the specification leaves open.
import { readList } from '../client/client.ts';
import type { Subject } from './check.ts';
import { briefingsPath } from './list-endpoints.ts';
import { arrayOf, fieldsOf, powersIn } from './shapes.ts';

/** Id of no key; the answer has the form of a proof, and proves nothing. */
const PROOF_QUERY = `key=key_000000000000&nonce=${'0'.repeat(64)}&origin=http://127.0.0.1`;

export type Observations = Readonly<Record<string, string>>;

/** Observations by name; omits failed observations. */
export async function observe({ probe }: Subject, details: ReadonlyMap<string, string>): Promise<Observations> {
  const symbol = await probe.symbol();
  const [signal, archetypes, snapshot] = [
    await probe.get(`/signal?symbol=${symbol}`),
    await probe.get('/api/archetypes/current'),
    await probe.get('/snapshot?limit=100'),
  ];
  const { map, rows } = powersIn(archetypes.body);
  const state = fieldsOf(signal.body)?.state;
  const problem = await probe.ask('/no-such-resource', { headers: { accept: 'application/problem+json' } });
  const found: Record<string, string | null> = {
    key: probe.form(),
    'factor variant': map === null ? (rows === null ? null : 'B') : rows === null ? 'A' : 'A and B',
    state:
      state === undefined
        ? null
        : `${typeof state}${fieldsOf(signal.body)?.state_name === undefined ? '' : ' and state_name'}`,
    'items of a list': itemsOf(snapshot.body),
    'end of a list': endOf(probe.answers().map(({ body }) => body)),
    'limit above 100': probe.answers().some(({ path, status }) => path.includes('limit=101') && status === 400)
      ? 'refused'
      : 'cut',
    'code spelling': spellingOf(
      probe.answers().flatMap(({ body, status }) => (status >= 400 ? [String(fieldsOf(body)?.code ?? '')] : [])),
    ),
    'reset unit': resetUnit(snapshot.headers.get('x-ratelimit-reset'), snapshot.headers.get('date'), probe.clock.now()),
    signature: details.get('webhook-signature') ?? null,
    briefings: await briefingsPath(probe),
    'problem+json': problem.headers.get('content-type')?.includes('problem+json') ? 'on request' : 'no',
    'event log': (await probe.get('/events?limit=1')).status === 200 ? '/events' : 'no',
    'proof before the key (an extension)':
      fieldsOf((await probe.get(`/proof?${PROOF_QUERY}`)).body)?.proof === undefined ? 'no' : '/proof',
    'interface version': snapshot.headers.get('x-service-version'),
    'unlisted symbol at archetypes':
      String(fieldsOf((await probe.get('/api/archetypes/current?symbol=ZZZZNOPE')).body)?.code ?? '') || null,
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value]])),
  );
}

function itemsOf(body: unknown): string | null {
  if (arrayOf(body) !== null) return 'a bare array';
  const list = readList(body, 'snapshot');
  return list === null
    ? null
    : (Object.entries(fieldsOf(body) ?? {}).find(([, value]) => value === list.rows)?.[0] ?? null);
}

function endOf(bodies: readonly unknown[]): string | null {
  const last = bodies.map(fieldsOf).find((fields) => fields?.has_more === false);
  if (last === undefined || last === null) return null;
  return 'next_cursor' in last ? `next_cursor ${JSON.stringify(last.next_cursor)}` : 'no next_cursor';
}

function spellingOf(codes: readonly string[]): string {
  const [lower, upper] = [codes.some((code) => /^[a-z_]+$/.test(code)), codes.some((code) => /^[A-Z_]+$/.test(code))];
  return lower && upper ? 'lower case, capitals at some endpoints' : lower ? 'lower case' : upper ? 'capitals' : '';
}

/** contract 40: decided by its size. */
function resetUnit(reset: string | null, date: string | null, now: number): string | null {
  const value = Number(reset ?? Number.NaN);
  if (Number.isNaN(value)) return null;
  if (value < 1e6) return 'seconds from now';
  const there = Date.parse(date ?? '') || now;
  return value >= 1e12
    ? 'epoch milliseconds'
    : Math.abs(value * 1_000 - there) < 3_600_000
      ? 'epoch seconds'
      : 'epoch seconds of another clock';
}
