// Bench: a real core and ledger on disk; its service is a function, whose log holds one event.
// The stream sends what the caller passes in.

import { serviceAt } from '../../../main/core/connection/service-source.ts';
import { createSessionVault } from '../../../main/core/keys/session-vault.ts';
import { createMonitor, type Monitor } from '../../../main/core/monitor.ts';
import type { Ports } from '../../../main/core/ports.ts';
import { DEFAULT_SETTINGS, type Profile, type Settings } from '../../../main/core/profiles/settings.ts';
import { systemClock } from '../../../main/host/system-clock.ts';
import { type NumberedChanges, SnapshotSchema } from '../../../shared/channels/state.ts';
import { type State, stateName } from '../../../shared/domain/states.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import type { EventEnvelope } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { encodeComment } from '../../../shared/wire/sse.ts';
import { eventAt } from './events.ts';

export interface BenchMonitor {
  readonly core: Monitor;
  /** Writes bytes into the open stream, and resolves when windows were pushed that the ledger holds `events`. */
  bring(bytes: readonly Uint8Array[], events: number): Promise<void>;
  /** The same, but resolves when the ledger holds them; windows may be behind. */
  store(bytes: readonly Uint8Array[], events: number): Promise<void>;
  /** How many events the ledger holds. */
  events(): number;
}

/** The profile of all benches that do not start the app. */
export const BENCH_PROFILE: Profile = {
  ...(DEFAULT_SETTINGS.profiles[0] as Profile),
  name: 'sandbox',
  relay: { on: false, port: 0, publicUrl: null },
};

const signalOf = (symbol: string, state: State) => ({
  symbol,
  name: `${symbol} Incorporated`,
  asset_class: 'etf',
  state,
  state_name: stateName(state),
  confidence: 93,
  note: '',
  // It moves with every answer, as that of a service that counts days back.
  since: timestamp(Date.now() - 19 * DAY_MS),
  regime: 'calm_uptrend',
  price: 571.24,
  change_pct: -1.84,
  base_rate: 12,
  decided_at: timestamp(Date.now()),
  next_decision_at: timestamp(Date.now() + 60_000),
  updated_at: timestamp(Date.now()),
  model_version: 'bench',
});

/** Settings of a trader who watches these. */
export function watching(symbols: readonly string[]): Pick<Ports, 'settings'> {
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    profiles: [BENCH_PROFILE],
    watchlists: [{ id: 'desk', name: 'Desk list', sections: [{ name: 'All', symbols: [...symbols] }] }],
  };
  return { settings: { read: () => settings, change: () => undefined } };
}

/**
 * Starts it and waits until the stream is open and the past is read.
 * @param folder of the ledger; it may hold one
 * @param state of every symbol
 * @param listed the service's log after an event, oldest first; for rows in which the stream brings more than the first event and the ledger back-fills
 */
export async function startMonitor(
  folder: string,
  ports: Partial<Ports> = {},
  profile: Profile = BENCH_PROFILE,
  listed: (after: string) => readonly EventEnvelope[] = () => [],
  state: State = 0,
): Promise<BenchMonitor> {
  let stream: ReadableStreamDefaultController<Uint8Array> | null = null;
  let shown = 0;
  const said: string[] = [];
  const note = (fields: object, message: string): void => void said.push(`${message} ${JSON.stringify(fields)}`);
  let onShown: () => void = () => undefined;
  let settings: Settings = { ...DEFAULT_SETTINGS, profiles: [profile] };
  const json = (body: unknown): Response => Response.json(body);
  const fetch = async (url: string): Promise<Response> => {
    const { pathname, searchParams } = new URL(url);
    if (pathname === '/')
      return json({
        service: 'bench',
        version: '1',
        environment: 'sandbox',
        replay: false,
        time: timestamp(Date.now()),
        links: {},
      });
    // Its log begins with one event, so that what the stream brings follows on something.
    const after = searchParams.get('after');
    if (pathname === '/events' && after === null)
      return json({ data: [eventAt(1)], has_more: false, next_cursor: null });
    if (pathname === '/events' && after !== null) {
      const [rows, limit] = [listed(after), Number(searchParams.get('limit'))];
      const data = rows.slice(0, limit);
      return json({ data, has_more: rows.length > limit, next_cursor: data.at(-1)?.event_id ?? null });
    }
    if (pathname === '/snapshot')
      return json({
        data: (searchParams.get('symbols') ?? '').split(',').map((symbol) => signalOf(symbol, state)),
        has_more: false,
        next_cursor: null,
      });
    if (pathname !== '/stream') return json({ data: [], has_more: false, next_cursor: null });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stream = controller;
        controller.enqueue(Buffer.from(encodeComment('connected')));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const core = createMonitor({
    ports: {
      clock: systemClock,
      random: Math.random,
      fetch,
      vault: createSessionVault(),
      notifier: {
        show: async () => ({ tier: 'system', detail: plainMessage('') }),
        status: () => ({ tier: 'system', detail: plainMessage('') }),
      },
      logger: { debug: () => undefined, info: () => undefined, warn: note, error: note },
      settings: {
        read: () => settings,
        change: (job) => {
          settings = job(settings);
        },
      },
      ...ports,
    },
    folder,
    profile,
    source: serviceAt({ baseUrl: 'https://bench.example', key: 'svc_test_benchbenchbenchbench' }),
    label: plainMessage('bench'),
  });
  core.attach({
    push(name, payload) {
      if (name !== 'state.changed') return;
      // A shell writes it as JSON; the window that reads it, and parses it by the schema, is another process.
      void JSON.stringify(payload);
      for (const change of (payload as NumberedChanges).changes)
        if (change.part === 'ledger') shown = change.ledger.events;
      onShown();
    },
  });
  await core.start();
  await until(() => stream !== null && core.status().offlineReason === null && core.entries(0, 1).length === 1);
  // Every watched symbol was received once.
  await until(() =>
    SnapshotSchema.parse(core.handlers['state.snapshot']({})).rows.some(({ signal }) => signal !== null),
  );
  const holds = (events: number): boolean => core.entries(events - 1, 1).length === 1;
  return {
    core,
    async bring(bytes, events) {
      const windowsUpdated = new Promise<void>((resolve) => {
        onShown = () => {
          if (shown >= events) resolve();
        };
      });
      for (const piece of bytes) stream?.enqueue(piece);
      await Promise.race([
        windowsUpdated,
        late(() => `windows know of ${shown} of ${events} events; ${said.slice(-3).join('; ')}`),
      ]);
    },
    async store(bytes, events) {
      for (const piece of bytes) stream?.enqueue(piece);
      await until(() => holds(events));
    },
    events: () => SnapshotSchema.parse(core.handlers['state.snapshot']({})).ledger.events,
  };
}

const LATE_MS = 20_000;

/** Rejects after the time limit. */
function late(message: () => string): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`not within ${LATE_MS / 1000} s: ${message()}`)), LATE_MS).unref();
  });
}

/** Checks once per turn of the event loop. @throws after the time limit */
export async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + LATE_MS;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not within ${LATE_MS / 1000} s: ${holds}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
