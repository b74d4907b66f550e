// Faults: clients of a real cluster that record all their requests and answers.
// They are triggers, streams, a webhook receiver, and readers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { EVENT_NAMES } from '../../shared/wire/events.ts';
import { LOG_HEADER, RESUME_HEADER } from '../../shared/wire/sse.ts';
import type { History, HistoryEvent } from './cluster-history.ts';
import { CLUSTER_KEY, type ClusterHost, patiently } from './cluster-kill-cluster.ts';
import type { Chance } from './core-simulation-random.ts';

const HEADERS = { 'x-api-key': CLUSTER_KEY, 'content-type': 'application/json' };
const ANSWER_MS = 10_000;
const SYMBOLS = ['SPY', 'QQQ', 'IWM'] as const;
const EVENTS = ['signal.high_risk', 'signal.normal', 'regime.flip', 'model.version'] as const;

export interface Clients {
  /** event_ids by what was told of them. */
  readonly told: {
    /** The receiver is to get what comes after this number. */
    readonly after: number;
    readonly delivered: ReadonlySet<string>;
    streamed(): readonly number[];
  };
  readonly counts: { triggered: number; unanswered: number; refused: number; reconnects: number; unknown: number };
  /** No more triggers, and from now on every delivery is accepted. */
  rest(): Promise<void>;
  stop(): Promise<void>;
}

interface Deps {
  readonly hosts: readonly ClusterHost[];
  readonly history: History;
  readonly chance: Chance;
}

export async function startClients({ hosts, history, chance }: Deps): Promise<Clients> {
  const counts = { triggered: 0, unanswered: 0, refused: 0, reconnects: 0, unknown: 0 };
  const stopping = new AbortController();
  const { signal } = stopping;
  const anyHost = (): ClusterHost => {
    const ready = hosts.filter((host) => host.isReady());
    return ready[chance.upTo(ready.length)] ?? (hosts[0] as ClusterHost);
  };
  const receiver = await startReceiver(history, chance, counts);
  await patiently(async () => {
    const answer = await fetch(`${anyHost().url()}/signals/subscribe`, {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify({ url: receiver.url, events: EVENT_NAMES }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (!answer.ok) throw new Error(`subscribe: ${answer.status} ${await answer.text()}`);
  });
  // What was written meanwhile may be delivered or not.
  const after = (await patiently(() => readLog(anyHost(), ''))).at(-1)?.seq ?? 0;
  history.add({ type: 'ok', process: 20, f: 'subscribe', value: { log: 'current', after } });
  const streamed = [0, 0];
  const resting = new AbortController();
  const triggers = [40, 50].map((first) => trigger(first, { hosts, history, chance }, anyHost, counts, resting.signal));
  const tasks = [
    ...streamed.map((_, index) =>
      listen(
        10 + index,
        history,
        anyHost,
        counts,
        (seq) => {
          streamed[index] = seq;
        },
        signal,
      ),
    ),
  ];
  return {
    told: { after, delivered: receiver.delivered, streamed: () => streamed },
    counts,
    async rest() {
      receiver.heal();
      resting.abort();
      await Promise.all(triggers);
    },
    async stop() {
      resting.abort();
      stopping.abort();
      await Promise.allSettled(tasks);
      receiver.close();
    },
  };
}

/** One request after the other. A process of the history whose answer is not known is not used again. */
async function trigger(
  first: number,
  { history, chance }: Deps,
  anyHost: () => ClusterHost,
  counts: Clients['counts'],
  signal: AbortSignal,
): Promise<void> {
  let process = first;
  while (!signal.aborted) {
    history.add({ type: 'invoke', process, f: 'append', value: null });
    try {
      const answer = await fetch(`${anyHost().url()}/sandbox/trigger`, {
        method: 'POST',
        headers: HEADERS,
        body: JSON.stringify({ event: chance.pick(EVENTS), symbol: chance.pick(SYMBOLS) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      const { data = [] } = (await answer.json()) as { data?: readonly { readonly event_id: string }[] };
      // A 503 may come after the write: the database did not say.
      if (!answer.ok) throw new Error(`${answer.status}`);
      counts.triggered += 1;
      history.add({ type: 'ok', process, f: 'append', value: data.map(({ event_id }) => event_id) });
    } catch {
      counts.unanswered += 1;
      history.add({ type: 'info', process, f: 'append', value: null });
      process += 1_000;
      await pause(50);
    }
  }
}

/** A stream that is opened again on any node, after what it was told last. */
async function listen(
  process: number,
  history: History,
  anyHost: () => ClusterHost,
  counts: Clients['counts'],
  reached: (seq: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let lastId: string | null = null;
  while (!signal.aborted) {
    try {
      const answer: Response = await fetch(`${anyHost().url()}/stream?events=${EVENT_NAMES.join(',')}`, {
        headers: { ...HEADERS, ...(lastId === null ? {} : { 'last-event-id': lastId }) },
        signal,
      });
      if (!answer.ok) throw new Error(`${answer.status}`);
      if (answer.headers.get(RESUME_HEADER) === 'unknown-id') {
        counts.unknown += 1;
        history.add({ type: 'info', process, f: 'resume', value: { after: null, log: null } });
        await answer.body?.cancel();
        continue;
      }
      const log = answer.headers.get(LOG_HEADER)?.split('.')[0] ?? '';
      history.add({ type: 'ok', process, f: 'resume', value: { after: null, log } });
      for await (const { id, seq } of framesOf(answer)) {
        lastId = id;
        reached(seq);
        history.add({ type: 'ok', process, f: 'stream', value: { log, seq, id } });
      }
    } catch {
      // The node was killed, is frozen or cut off: another one goes on.
    }
    counts.reconnects += 1;
    await pause(50);
  }
}

/** A stream that says nothing for this long is given up: its node may be frozen. It has heartbeats every 15 s. */
const SILENT_MS = 3_000;

async function* framesOf(answer: Response): AsyncGenerator<{ id: string; seq: number }> {
  const reader = answer.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), pause(SILENT_MS).then(() => null)]);
      if (next === null || next.done) return;
      text += decoder.decode(next.value, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const [, id, data] = /^id: (\S+)\nevent: \S+\ndata: (.*)$/.exec(frame) ?? [];
        if (id !== undefined && data !== undefined) yield { id, seq: JSON.parse(data).seq };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function startReceiver(history: History, { random }: Chance, counts: Clients['counts']) {
  const delivered = new Set<string>();
  let isHealthy = false;
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    request.on('error', () => undefined).resume();
    request.on('end', () => {
      const lot = isHealthy ? 1 : random();
      if (lot < 0.1) {
        counts.refused += 1;
        response.writeHead(500).end();
        return;
      }
      const id = String(request.headers['webhook-id']);
      delivered.add(id);
      history.add({ type: 'ok', process: 20, f: 'deliver', value: { log: 'current', id } });
      if (lot < 0.15) request.socket.destroy();
      else response.writeHead(204).end();
    });
  };
  const server = createServer(take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    delivered,
    heal() {
      isHealthy = true;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The whole log of one node, page after page. */
export async function readLog({ url }: ClusterHost, log: string): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  for (let after = ''; ; ) {
    const answer = await fetch(`${url()}/events?limit=100${after}`, {
      headers: HEADERS,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (!answer.ok) throw new Error(`/events: ${answer.status} ${await answer.text()}`);
    const page = (await answer.json()) as { data: { seq: number; event_id: string }[]; has_more: boolean };
    events.push(...page.data.map(({ seq, event_id: id }) => ({ log, seq, id })));
    if (!page.has_more) return events;
    after = `&after=${events.at(-1)?.id ?? ''}`;
  }
}
