// Conformance: pushed events agree with each other, and with the endpoints.
import { readList } from '../client/client.ts';
import { stateFromText } from '../shared/domain/states.ts';
import { type Check, check, firstOf, green, red, type Subject, skipped } from './check.ts';
import { briefingsPath, withQuery } from './list-endpoints.ts';
import type { Probe } from './probe.ts';
import { NO_EVENT, webhookCheck, webhookEvents, withArrivals } from './push-check.ts';
import { isTransition, type PushedEvent, type PushRun, readPushedEvent, streamEvents, textIn } from './push-run.ts';
import { type Fields, fieldsOf, isInstant, objectsIn, shown, timeOf } from './shapes.ts';

/** Tolerance between event time and sending time; zones differ by at least half an hour. */
const SAME_TIME_MS = 5 * 60_000;
/** A first retry is due after this long, s. */
const RETRY_DUE = 7.5;
const STATE_NAMES = ['Normal', 'Elevated', 'High Risk'];

const pushedEvents = ({ stream, arrivals }: PushRun): PushedEvent[] => [
  ...streamEvents(stream),
  ...webhookEvents(arrivals.good),
];
const isoIn = (...values: readonly unknown[]): number => Date.parse(String(values.find(isInstant)));
const eventTime = ({ data, envelope }: PushedEvent): number =>
  isoIn(data.occurred_at, data.timestamp, envelope.timestamp, envelope.occurred_at);
const isApart = (a: number, b: number, { speed }: PushRun): boolean =>
  Math.abs(a - b) > SAME_TIME_MS * Math.max(1, speed);
const named = ({ name, symbol, id }: PushedEvent): string => `${name}${symbol === null ? '' : ` of ${symbol}`} (${id})`;
const pushedState = ({ name }: PushedEvent): number | null => stateFromText(name?.replace('signal.', '') ?? '');

/** The newest rows of a list; null: its first page has the oldest rows. */
async function newestRows(probe: Probe, path: string, name: string): Promise<readonly Fields[] | null> {
  const list = readList((await probe.ask(withQuery(path, 'limit=100'))).body, name);
  const rows = objectsIn(list?.rows ?? []);
  const isAscending = timeOf(rows[0] ?? {}) < timeOf(rows.at(-1) ?? {});
  return list?.hasMore === true && isAscending ? null : rows;
}

/** A check of all events of the run. */
const pushedCheck = (
  section: string,
  id: string,
  rule: string,
  run: (events: readonly PushedEvent[], subject: Subject, pushRun: PushRun) => ReturnType<Check['run']>,
): Check =>
  check(section, id, rule, async (subject) => {
    const pushRun = await subject.pushRun();
    const events = pushedEvents(pushRun);
    return events.length === 0 ? skipped(NO_EVENT) : run(events, subject, pushRun);
  });

const states: readonly Check[] = [
  check('2.1', 'pushed-confidence', 'The confidence of a pushed signal is percent-like too', async (subject) => {
    const { stream, arrivals } = await subject.pushRun();
    const lists = [streamEvents(stream), webhookEvents(arrivals.good)].map((events) =>
      events
        .filter(isTransition)
        .flatMap(({ data: { confidence } }) => (typeof confidence === 'number' ? [confidence] : [])),
    );
    if (lists.every(({ length }) => length < 3)) return skipped('fewer than three signals came with a confidence');
    return firstOf(
      lists.flatMap((values) => [
        values.every((value) => value >= 0 && value <= 100) ? null : 'a confidence is outside 0 to 100',
        values.length >= 3 && values.every((value) => value <= 1) ? 'all are 1 or less: shares, not percent' : null,
      ]),
    );
  }),
  pushedCheck(
    '2.1',
    'state-integers',
    'Each state has one integer, in events and in the snapshot',
    async (events, { probe }) => {
      const snapshot = (await probe.rows('/snapshot?limit=100')).flatMap(({ state, state_name }) =>
        typeof state_name === 'string' ? [[stateFromText(state_name), state] as const] : [],
      );
      const pairs = [
        ...events.filter(isTransition).map((one) => [pushedState(one), one.data.state] as const),
        ...snapshot,
      ];
      const integers = new Map<number, unknown>();
      const meanings = new Map<unknown, number>();
      for (const [state, integer] of pairs) {
        if (state === null || !Number.isInteger(integer)) continue;
        const [known, meaning] = [integers.get(state), meanings.get(integer)];
        if (known !== undefined && known !== integer)
          return red(`${STATE_NAMES[state]} is ${known}, and ${integer} elsewhere`);
        if (meaning !== undefined && meaning !== state)
          return red(`${integer} stands for ${STATE_NAMES[meaning]}, and for ${STATE_NAMES[state]}`);
        integers.set(state, integer);
        meanings.set(integer, state);
      }
      return integers.size === 0 ? skipped('no state has an integer') : green();
    },
  ),
  check('4.2', 'signal-follows', 'GET /signal has the state of the newest transition', async (subject) => {
    const { signalAfter } = await subject.pushRun();
    if (signalAfter === null) return skipped('no transition came, or another one came meanwhile');
    const { newest, signal } = signalAfter;
    const { state, state_name } = fieldsOf(signal) ?? {};
    const said = typeof state_name === 'string' ? stateFromText(state_name) : null;
    const isSame =
      said !== null
        ? said === pushedState(newest)
        : !Number.isInteger(newest.data.state) || state === newest.data.state;
    return isSame ? green() : red(`after ${named(newest)} it says ${shown(state_name ?? state)}`);
  }),
];

const sameEvents: readonly Check[] = [
  check('6.2', 'stream-same-events', 'The stream and the webhooks push the same events', async (subject) => {
    const { stream, arrivals } = await subject.pushRun();
    const [streamed, hooked] = [streamEvents(stream), webhookEvents(arrivals.good)].map((events) =>
      events.filter((one) => isTransition(one) && (textIn(one.envelope, 'event_id') ?? textIn(one.data, 'event_id'))),
    ) as [PushedEvent[], PushedEvent[]];
    const about = (one: PushedEvent): string => `${one.name} ${one.symbol}`;
    const both = streamed.filter((one) => hooked.some((other) => about(other) === about(one)));
    if (both.length === 0) return skipped('no transition with an event_id came by both');
    const pairs = both.flatMap((one) => hooked.filter(({ id }) => id === one.id).map((other) => [one, other] as const));
    if (pairs.length === 0) return red(`none has the same event_id: ${named(both[0] as PushedEvent)}`);
    return firstOf(
      pairs.map(([one, other]) => {
        if (about(one) !== about(other)) return `${named(one)} is ${named(other)} in a webhook`;
        const field = ['state', 'confidence', 'note'].find(
          (name) =>
            one.data[name] !== undefined && other.data[name] !== undefined && one.data[name] !== other.data[name],
        );
        return field === undefined
          ? null
          : `${named(one)}: ${field} is ${shown(one.data[field])}, and ${shown(other.data[field])} in a webhook`;
      }),
      `${pairs.length} events`,
    );
  }),
  pushedCheck(
    '4.2',
    'transitions-listed',
    'A pushed transition into High Risk is in /alert-transitions, and of the same time there',
    async (events, { probe }, pushRun) => {
      const rows = await newestRows(probe, '/alert-transitions', 'alert-transitions');
      if (rows === null) return skipped('the first page of the list has the oldest rows');
      const byId = new Map(rows.map((row) => [textIn(row, 'event_id'), row]));
      if (byId.has(null) || byId.size === 0) return skipped('the rows of the list have no event_id');
      const high = events.filter(({ name }) => name === 'signal.high_risk');
      if (high.length === 0) return skipped('none was pushed');
      return firstOf(
        high.map((one) => {
          const row = byId.get(one.id);
          if (row === undefined) return `${named(one)} is not in it`;
          const [pushed, listed] = [eventTime(one), timeOf(row)];
          return isApart(pushed, listed, pushRun)
            ? `${named(one)} is of ${new Date(pushed).toISOString()}, and of ${new Date(listed).toISOString()} in the list`
            : null;
        }),
        `${high.length} events`,
      );
    },
  ),
  withArrivals(
    '6.1',
    'event-times',
    'The times of an event are the same in a webhook as in the stream',
    (arrivals, run) => {
      const streamed = new Map(streamEvents(run.stream).map((one) => [one.id, one]));
      const pairs = webhookEvents(arrivals).flatMap((one) => {
        const other = streamed.get(one.id);
        return other === undefined ? [] : [[one, other] as const];
      });
      if (pairs.length === 0) return skipped('no event came by the stream too');
      const wrong = (one: PushedEvent, other: PushedEvent, part: 'data' | 'envelope', name: string): string | null => {
        const [hook, stream] = [one[part][name], other[part][name]];
        return isInstant(hook) && isInstant(stream) && isApart(Date.parse(hook), Date.parse(stream), run)
          ? `${named(one)}: ${name} is ${hook}, and ${stream} in the stream`
          : null;
      };
      return firstOf(
        pairs.flatMap(([one, other]) => [
          wrong(one, other, 'envelope', 'timestamp'),
          wrong(one, other, 'data', 'timestamp'),
          wrong(one, other, 'data', 'occurred_at'),
        ]),
        `${pairs.length} events`,
      );
    },
  ),
  pushedCheck(
    '6.1',
    'briefing-archived',
    'A published briefing is in the archive, under the same type',
    async (events, { probe }) => {
      const published = events.filter(({ name }) => name === 'briefing.published');
      const path = await briefingsPath(probe);
      if (published.length === 0 || path === null)
        return skipped(path === null ? 'the path of the archive was not found' : 'none was published');
      const rows = await newestRows(probe, path, 'briefings');
      if (rows === null) return skipped('the first page of the archive has the oldest rows');
      return firstOf(
        published.map(({ data }) => {
          const row = rows.find(({ id }) => id === data.id);
          if (row === undefined) return `${shown(data.id)} is not in the archive`;
          const type = data.type ?? data.briefing_type;
          return row.type === type
            ? null
            : `${shown(data.id)} is ${shown(type)}, and ${shown(row.type)} in the archive`;
        }),
        `${published.length} briefings`,
      );
    },
  ),
];

const retryCheck = (id: string, rule: string, manner: 'refuses-once' | 'redirects-once', status: number): Check =>
  webhookCheck('6.1', id, rule, ({ arrivals }) => {
    const [first, ...later] = arrivals[manner];
    if (first === undefined) return skipped('no delivery came');
    const idOf = (body: Buffer): string | null => readPushedEvent(body.toString('utf8'))?.id ?? null;
    return later.some(({ body }) => idOf(body) === idOf(first.body))
      ? green()
      : red(`answered with ${status}, it did not come again`);
  });

const retries: readonly Check[] = [
  retryCheck('webhook-retry-4xx', 'What is answered by 404 is tried again too', 'refuses-once', 404),
  retryCheck('webhook-retry-3xx', 'A redirect is no success: 302 is tried again too', 'redirects-once', 302),
  webhookCheck(
    '6.1',
    'webhook-any-2xx',
    'Every 2xx is a success: what is answered by 204 is not tried again',
    ({ arrivals, endedAt, speed }) => {
      const [first, ...later] = arrivals['refuses-once'];
      const due = later.filter(
        ({ at, body }) => !body.equals(first?.body ?? body) && ((endedAt - at) / 1_000) * speed >= RETRY_DUE,
      );
      const bodies = due.map(({ body }) => body.toString('utf8'));
      if (bodies.length === 0) return skipped('the run was too short for a retry');
      const distinct = new Set(bodies);
      const again = [...distinct].filter(
        (text) => later.filter(({ body }) => body.toString('utf8') === text).length > 1,
      );
      // Receivers must tolerate occasional repeated deliveries.
      return 2 * again.length > distinct.size
        ? red(`answered with 204, ${again.length} of ${distinct.size} came again`)
        : green(`${distinct.size} deliveries`);
    },
  ),
];

export const PUSH_AGREEMENT_CHECKS: readonly Check[] = [...states, ...sameEvents, ...retries];
