// Conformance: opens streams, registers webhooks, triggers events once, and keeps all pushes.
import { createParser } from 'eventsource-parser';
import { isLoopback } from '../shared/lib/loopback.ts';
import { pause } from '../shared/lib/pause.ts';
import { messageOf } from '../shared/lib/result.ts';
import { EVENT_NAMES, type EventName } from '../shared/wire/events.ts';
import type { Probe } from './probe.ts';
import { type Arrival, type Manner, openReceiver } from './receiver.ts';
import { ANSWER_LIMIT_MS, type Answer, jsonOf } from './recorder.ts';
import { arrayOf, type Fields, fieldsOf } from './shapes.ts';

export interface StreamMessage {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

export interface StreamRecording {
  /** The filter: "", "symbols=SPY". */
  readonly query: string;
  /** 0: no answer. */
  readonly status: number;
  /** Message of a check that expected a stream: "GET /stream is 404". */
  readonly said: string;
  readonly contentType: string;
  readonly messages: readonly StreamMessage[];
}

export interface PushRun {
  /** The stream without a filter; each other stream has one filter. */
  readonly stream: StreamRecording;
  readonly filtered: Readonly<Record<'symbols' | 'severity' | 'regime', StreamRecording>>;
  readonly symbol: string;
  readonly other: string | null;
  readonly regime: string | null;
  /** Accepted triggered events; null: the service cannot trigger events. */
  readonly triggered: ReadonlySet<EventName> | null;
  /** Why webhooks were skipped, or null. */
  readonly noWebhooks: string | null;
  readonly subscribed: Readonly<Partial<Record<Manner, Answer>>>;
  readonly arrivals: Readonly<Record<Manner, readonly Arrival[]>>;
  /** When the receiver closed, ms. */
  readonly endedAt: number;
  /** GET /signal of the symbol after its newest transition; null: another transition came meanwhile. */
  readonly signalAfter: { readonly newest: PushedEvent; readonly signal: unknown } | null;
  /** Speed of the world's clock: retries follow it. */
  readonly speed: number;
}

export interface PushRunOptions {
  readonly probe: Probe;
  readonly timeouts: Timeouts;
}

/** Timeouts for expected pushes, ms; 0 where no check needs it. */
export interface Timeouts {
  /** For a triggered event. */
  readonly arrive: number;
  /** For an ordinary event of a service without triggers. */
  readonly passive: number;
  /** The first retry is due after 5 s. */
  readonly retry: number;
  /** The service abandons a silent receiver after 10 s. */
  readonly silent: number;
  /** For one answer. */
  readonly answer: number;
  /** For a whole check. */
  readonly check: number;
}
export const DEFAULT_TIMEOUTS: Timeouts = {
  arrive: 8_000,
  passive: 10_000,
  retry: 12_000,
  silent: 14_000,
  answer: ANSWER_LIMIT_MS,
  check: 120_000,
};

const MANNERS = ['good', 'fails-once', 'refuses-once', 'redirects-once', 'silent'] as const;
const RETRIED = ['fails-once', 'refuses-once', 'redirects-once'] as const;
const POLL_MS = 25;

export async function runPush({ probe, timeouts }: PushRunOptions): Promise<PushRun> {
  const [symbol, other] = [await probe.symbol(), await probe.other()];
  const regime = textIn((await probe.get(`/regime/${symbol}`)).body, 'regime');
  const streams = createListener(probe);
  const noWebhooks = await whyNoWebhooks(probe);
  const receiver = noWebhooks === null ? await openReceiver(probe.clock) : null;
  const subscribed: Partial<Record<Manner, Answer>> = {};
  try {
    // Sequential: after a wait, a service that enforces its burst admits one call, not four.
    const stream = await streams.open('');
    const symbols = await streams.open(`symbols=${symbol}`);
    const severity = await streams.open('severity=high_risk');
    const inRegime = await streams.open(`regime=${regime ?? 'none'}`);
    for (const manner of receiver === null ? [] : MANNERS)
      subscribed[manner] = await subscribe(probe, receiver?.url(manner) ?? '');
    const made = probe.mayWrite ? await makeEvents(probe, symbol, other) : null;
    if (made === null) await sendAgain(probe, subscribed);

    const got = (manner: Manner): readonly Arrival[] => receiver?.arrivals(manner) ?? [];
    const good = (): number => new Set(got('good').map(({ body }) => body.toString())).size;
    const hooks = receiver !== null && (subscribed.good?.status ?? 500) < 300;
    const hasReceived = (): boolean => stream.messages.length > 0 || stream.status !== 200;
    if (made === null) await until(probe, timeouts.passive, () => hasReceived() && (!hooks || good() > 0));
    else
      await until(
        probe,
        timeouts.arrive,
        () => (!hooks || good() >= made.events) && stream.messages.length >= made.transitions,
      );
    const refused = RETRIED.filter((manner) => hooks && got(manner).length > 0);
    if (refused.length > 0) await until(probe, timeouts.retry, () => refused.every((manner) => retried(got(manner))));
    if (hooks && got('silent').length > 0)
      await until(probe, timeouts.silent, () => got('silent').some(({ leftAt }) => leftAt !== null));
    return {
      stream,
      filtered: { symbols, severity, regime: inRegime },
      symbol,
      other,
      regime,
      triggered: made?.names ?? null,
      noWebhooks,
      subscribed,
      signalAfter: await signalAfter(probe, stream, symbol),
      arrivals: {
        good: [...got('good')],
        'fails-once': [...got('fails-once')],
        'refuses-once': [...got('refuses-once')],
        'redirects-once': [...got('redirects-once')],
        silent: [...got('silent')],
      },
      endedAt: probe.clock.now(),
      speed: Number(fieldsOf((await probe.get('/')).body)?.speed ?? 1) || 1,
    };
  } finally {
    streams.close();
    for (const answer of Object.values(subscribed)) await unsubscribe(probe, answer);
    await receiver?.close();
  }
}

/** Signals that are transitions, not aliases. */
export const isTransition = ({ name }: PushedEvent): boolean =>
  name === 'signal.normal' || name === 'signal.elevated' || name === 'signal.high_risk';

/** Reads the signal while the stream still shows whether another transition came meanwhile. */
async function signalAfter(probe: Probe, stream: StreamRecording, symbol: string): Promise<PushRun['signalAfter']> {
  const newestOf = (): PushedEvent | undefined =>
    streamEvents(stream).findLast((one) => isTransition(one) && one.symbol === symbol);
  const newest = newestOf();
  if (newest === undefined) return null;
  const answer = await probe.ask(`/signal?symbol=${symbol}`).catch(() => null);
  return answer?.status === 200 && newestOf()?.id === newest.id ? { newest, signal: answer.body } : null;
}

/** True when the failed delivery has arrived again. */
const retried = (arrivals: readonly Arrival[]): boolean => {
  const [first, ...later] = arrivals;
  return first !== undefined && later.some(({ body }) => body.equals(first.body));
};

export const textIn = (value: unknown, name: string): string | null => {
  const found = fieldsOf(value)?.[name];
  return typeof found === 'string' && found !== '' ? found : null;
};

async function whyNoWebhooks(probe: Probe): Promise<string | null> {
  if (!probe.mayWrite) return 'nothing is to be written';
  if (!isLoopback(probe.base.hostname)) return 'this computer has no address that the service could reach';
  return null;
}

interface TriggeredEvents {
  readonly names: ReadonlySet<EventName>;
  /** All of them, including those of the stream. */
  readonly events: number;
  readonly transitions: number;
}

/**
 * Triggers every event once, High Risk first for another symbol, so that filters have something to exclude.
 */
async function makeEvents(probe: Probe, symbol: string, other: string | null): Promise<TriggeredEvents | null> {
  const names = new Set<EventName>();
  let [events, transitions] = [0, 0];
  const make = async (event: EventName | 'signal.created', about: string): Promise<boolean> => {
    const answer = await probe.ask('/sandbox/trigger', {
      method: 'POST',
      body: { event, symbol: about },
      isUnrecorded: true,
    });
    if (answer.status >= 300) return false;
    const written = arrayOf(fieldsOf(answer.body)?.data) ?? [event];
    events += written.length;
    if (/^signal|^regime/.test(event)) transitions += written.length;
    if (event !== 'signal.created') names.add(event);
    return true;
  };
  if (!(await make('signal.high_risk', other ?? symbol))) return null;
  for (const event of EVENT_NAMES) await make(event, symbol);
  // An alias, which filters must treat as the signal that it repeats.
  await make('signal.created', other ?? symbol);
  return { names, events, transitions };
}

/** Replays past events (an extension) if the service cannot trigger events. */
async function sendAgain(probe: Probe, subscribed: Readonly<Partial<Record<Manner, Answer>>>): Promise<void> {
  const newest = (await probe.rows('/alert-transitions?limit=1'))[0]?.occurred_at;
  for (const answer of Object.values(subscribed)) {
    const id = answer.status < 300 ? textIn(answer.body, 'id') : null;
    if (id === null || typeof newest !== 'string') continue;
    await probe.ask(`/signals/subscriptions/${id}/replay`, {
      method: 'POST',
      body: { from: newest },
      isUnrecorded: true,
    });
  }
}

/**
 * Tries the usual names of the target until one is accepted, because the specification does not state the
 * body.
 */
async function subscribe(probe: Probe, url: string): Promise<Answer> {
  const bodies = [
    { url },
    { url, events: EVENT_NAMES },
    ...['target_url', 'endpoint', 'target', 'callback_url'].map((name) => ({ [name]: url, events: EVENT_NAMES })),
  ];
  let first: Answer | null = null;
  for (const body of bodies) {
    const answer = await probe.ask('/signals/subscribe', { method: 'POST', body });
    if (answer.status !== 400 && answer.status !== 422) return answer;
    first ??= answer;
  }
  return first as Answer;
}

export async function unsubscribe(probe: Probe, { status, body }: Answer): Promise<void> {
  const id = textIn(body, 'id');
  if (status < 300 && id !== null)
    await probe.ask(`/signals/subscriptions/${id}`, { method: 'DELETE', isUnrecorded: true }).catch(() => undefined);
}

async function until({ clock }: Probe, ms: number, condition: () => boolean): Promise<void> {
  const end = clock.now() + ms;
  while (!condition() && clock.now() < end) await pause(clock, POLL_MS);
}

function createListener(probe: Probe) {
  const over = new AbortController();
  return {
    async open(query: string): Promise<StreamRecording> {
      const messages: StreamMessage[] = [];
      const path = `/stream${query === '' ? '' : `?${query}`}`;
      try {
        const headers = { accept: 'text/event-stream', ...(await probe.credentials()) };
        const { answer, contentType, body } = await probe.open(path, headers, over.signal);
        if (body !== null) void read(body, messages);
        return { query, status: answer.status, said: `GET ${path} is ${answer.status}`, contentType, messages };
      } catch (error) {
        // A stream that does not open is a finding about streams only, not about webhooks.
        return { query, status: 0, said: messageOf(error), contentType: '', messages };
      }
    },
    close: () => over.abort(),
  };
}

async function read(body: ReadableStream<Uint8Array>, messages: StreamMessage[]): Promise<void> {
  const parser = createParser({ onEvent: ({ id, event, data }) => messages.push({ id, event, data }) });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }));
  } catch (error) {
    // The run is over, or the service closed: the checks use what has arrived.
    messageOf(error);
  }
}

export interface PushedEvent {
  readonly name: string | null;
  readonly id: string | null;
  readonly symbol: string | null;
  readonly data: Fields;
  readonly envelope: Fields;
}

/** An event in any envelope: nested or flat, its name in `event` or `type` or beside it. */
export function readPushedEvent(
  text: string,
  beside: { id?: string | undefined; event?: string | undefined } = {},
): PushedEvent | null {
  const envelope = fieldsOf(jsonOf(text));
  if (envelope === null) return null;
  const data = fieldsOf(envelope.data) ?? envelope;
  const typed = textIn(envelope, 'type');
  return {
    name:
      textIn(envelope, 'event') ??
      ((EVENT_NAMES as readonly (string | null)[]).includes(typed) ? typed : (beside.event ?? null)),
    id: textIn(envelope, 'event_id') ?? textIn(envelope, 'id') ?? textIn(data, 'event_id') ?? beside.id ?? null,
    symbol: textIn(data, 'symbol'),
    data,
    envelope,
  };
}

export const streamEvents = ({ messages }: StreamRecording): PushedEvent[] =>
  messages.flatMap(({ data, id, event }) => readPushedEvent(data, { id, event }) ?? []);
