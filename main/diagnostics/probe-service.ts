// Main, diagnostics: probes a profile's service like the monitor: /health, /events, the stream.
// It reads one row of /events and of /snapshot with the key, and the stream's first byte, within one time limit.
import { readBody } from '../../client/body.ts';
import type { Client } from '../../client/client.ts';
import type { Peer } from '../../client/key-gate.ts';
import { problem, type ServiceProblem } from '../../client/problem.ts';
import type { FetchLike } from '../../client/request.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { ok } from '../../shared/lib/result.ts';
import { isFields, text } from '../core/compat/fields.ts';
import { createKeyedClient } from '../core/keys/keyed-client.ts';
import { createSkew } from '../core/observer/skew.ts';
import type { Profile } from '../core/profiles/settings.ts';
import { openStreamConnection } from '../core/sources/event-stream.ts';
import { HEALTH_SAMPLE, type HealthReport, readHealth } from './health-words.ts';
import type { ProbeResult, ServiceInspection, StreamProbe } from './service-findings.ts';

/** Time limit of all requests to one service, ms. */
export const SERVICE_LIMIT = 5_000;
/** Time between two questions for the service's time, ms: they show whether its clock advances. */
const CLOCK_PAUSE = 2_000;
/** Time limit of the first byte, ms: the service sends one at once. */
const FIRST_BYTE_LIMIT = 3_000;

export interface ServiceProbeOptions {
  readonly profile: Profile;
  readonly baseUrl: string;
  /** null: there is no key to try, so that only open endpoints are probed. */
  readonly key: string | null;
  readonly peer: Peer;
  readonly fetch: FetchLike;
  readonly clock: Clock;
}

export async function probeService({
  profile,
  baseUrl,
  key,
  peer,
  fetch,
  clock,
}: ServiceProbeOptions): Promise<ServiceInspection> {
  const skew = createSkew();
  const began = clock.now();
  let report: HealthReport | null = null;
  /** Reads the body of /health beside the client, which accepts only JSON. */
  const listening: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    if (!new URL(url).pathname.endsWith('/health') || response.redirected) return response;
    const type = response.headers.get('content-type') ?? '';
    const limit = init?.signal ?? new AbortController().signal;
    const body = await readBody(response.clone(), HEALTH_SAMPLE, limit, true).catch(() => ok(''));
    report = readHealth(body.ok ? body.value : '', type);
    return response;
  };
  const { client } = createKeyedClient({
    baseUrl: () => baseUrl,
    first: { key, reason: null },
    profile,
    peer,
    fetch: listening,
    clock,
    interceptor: {
      head: (_, response, sent, ended) => {
        skew.onDate(response.headers.get('date'), sent, ended);
      },
      body: () => undefined,
    },
  });
  const deadline = clock.now() + SERVICE_LIMIT;
  const cancel = clock.after(SERVICE_LIMIT, () => client.close());
  const host = URL.parse(baseUrl)?.host ?? 'the address';
  const tried = (answer: { ok: true; value: { took: number } } | { ok: false; error: ServiceProblem }): ProbeResult =>
    answer.ok ? { took: answer.value.took } : { problem: describeTimeout(answer.error, host) };
  try {
    // The specification states no body: any answer of success is one, except a page (contract 19).
    const asked = await client.read('health');
    const answered = report as HealthReport | null;
    const isAnswered = !asked.ok && asked.error.kind === 'unreadable' && answered !== null && answered.means !== 'page';
    const health = isAnswered ? { took: clock.now() - began } : tried(asked);
    const isSilent = 'problem' in health && health.problem.status === null;
    const beginning = isSilent ? Promise.resolve(null) : readClock(client, clock);
    if (isSilent || (key === null && profile.mode !== 'proxy'))
      return {
        ...{ health, report: answered, events: null, model: null, skew: skew.estimate(), stream: null },
        progress: await progressSince(beginning, client, clock, deadline),
      };
    const events = tried(await client.page('events', { query: { limit: 1 } }));
    const listed = 'took' in events ? await client.page('snapshot', { query: { limit: 1 } }) : null;
    const signal = listed?.ok ? listed.value.rows[0] : null;
    const limit = Math.min(FIRST_BYTE_LIMIT, Math.max(0, deadline - clock.now()));
    const stream = await firstByte(
      (headers, signal) => client.openStream({}, headers, signal),
      new URL('stream', client.baseUrl),
      limit,
      clock,
    );
    const model = isFields(signal) ? text(signal.model_version) : null;
    const progress = await progressSince(beginning, client, clock, deadline);
    return { health, report: answered, events, model, skew: skew.estimate(), stream, progress };
  } finally {
    cancel();
    client.close();
  }
}

interface ClockReading {
  readonly world: number;
  readonly speed: number;
  readonly at: number;
}

/** null: the service does not give its time. */
async function readClock(client: Pick<Client, 'call'>, clock: Clock): Promise<ClockReading | null> {
  const before = clock.now();
  const root = await client.call('root');
  if (!root.ok) return null;
  const { time, speed = 1 } = root.value.value;
  return { world: Date.parse(time), speed, at: (before + clock.now()) / 2 };
}

async function progressSince(
  beginning: Promise<ClockReading | null>,
  client: Pick<Client, 'call'>,
  clock: Clock,
  deadline: number,
): Promise<ServiceInspection['progress']> {
  const first = await beginning;
  if (first === null) return null;
  const wait = first.at + CLOCK_PAUSE - clock.now();
  if (clock.now() + wait >= deadline) return null;
  await new Promise<void>((resolve) => void clock.after(wait, resolve));
  const second = await readClock(client, clock);
  if (second === null) return null;
  return { at: first.world, passed: second.world - first.world, expected: (second.at - first.at) * first.speed };
}

/** Describes a call that was cancelled by the time limit, not by a user. */
const describeTimeout = (found: ServiceProblem, host: string): ServiceProblem =>
  found.kind === 'cancelled'
    ? problem('timeout', `The service at ${host} did not answer within ${SERVICE_LIMIT / 1000} s.`)
    : found;

type Open = Parameters<typeof openStreamConnection>[2];

function firstByte(open: Open, url: URL, limit: number, clock: Clock): Promise<StreamProbe> {
  const began = clock.now();
  const { promise, resolve } = Promise.withResolvers<StreamProbe>();
  let isOpen = false;
  const cancel = clock.after(limit, () =>
    resolve(
      isOpen ? { late: limit } : { problem: problem('timeout', `The stream did not open within ${limit / 1000} s.`) },
    ),
  );
  const connection = openStreamConnection(url.href, null, open, (event) => {
    if (event.kind === 'opened') isOpen = true;
    else if (event.kind === 'bytes') resolve({ took: clock.now() - began });
    else if (event.kind === 'ended')
      resolve({ problem: event.cause ?? problem('network', 'The stream ended before the first byte.') });
  });
  return promise.finally(() => {
    cancel();
    connection.close();
  });
}
