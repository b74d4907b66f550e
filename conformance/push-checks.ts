// Conformance: sections 2.5, 3, 4.6 and 6: subscriptions, webhooks and the stream.
import { BRIEFING_TYPES, EVENT_NAMES, type EventName } from '../shared/wire/events.ts';
import { SIGNATURE_HEADER } from '../shared/wire/subscriptions.ts';
import { type Check, check, extensionCheck, firstOf, green, type Outcome, red, skipped } from './check.ts';
import { codeOf } from './probe.ts';
import { NO_EVENT, secretOf, webhookCheck, webhookEvents, withArrivals } from './push-check.ts';
import {
  type PushedEvent,
  type PushRun,
  readPushedEvent,
  type StreamRecording,
  streamEvents,
  textIn,
  unsubscribe,
} from './push-run.ts';
import { shown } from './shapes.ts';
import { signatureForm } from './signature-forms.ts';

const EMITTED: Readonly<Record<EventName, string>> = {
  'signal.normal': 'an asset transitioned into Normal',
  'signal.elevated': 'an asset transitioned into Elevated',
  'signal.high_risk': 'an asset transitioned into High Risk',
  'regime.flip': 'the primary regime classification changed',
  'briefing.published': 'a new briefing is published',
  'model.version': 'the model version is updated',
};

const subscriptions: readonly Check[] = [
  check('4.6', 'subscribe-needs-key', 'POST /signals/subscribe needs a key', async ({ probe }) => {
    if (!probe.mayWrite) return skipped('nothing is to be written');
    const answer = await probe.ask('/signals/subscribe', {
      method: 'POST',
      body: { url: 'https://example.com/hook' },
      key: null,
    });
    return answer.status === 401 ? green() : red(`without a key it is ${answer.status}`);
  }),
  check('4.6', 'subscribe-refuses', 'A body that names no endpoint is 400 invalid_request', async ({ probe }) => {
    if (!probe.mayWrite) return skipped('nothing is to be written');
    for (const body of [{}, { url: 'not an address' }]) {
      const answer = await probe.ask('/signals/subscribe', { method: 'POST', body });
      if (answer.status === 403) return skipped('the key may not subscribe');
      await unsubscribe(probe, answer);
      if (answer.status !== 400 || codeOf(answer) !== 'invalid_request')
        return red(`${JSON.stringify(body)} is ${answer.status} ${codeOf(answer)}`);
    }
    return green();
  }),
  check('4.6', 'subscribe-registers', 'POST /signals/subscribe registers a webhook endpoint', async (subject) => {
    const { noWebhooks, subscribed } = await subject.pushRun();
    if (noWebhooks !== null) return skipped(noWebhooks);
    const { good } = subscribed;
    if (good?.status === 403) return skipped('the key may not subscribe');
    if (good?.status === 400 || good?.status === 422)
      return skipped('its body is not stated, and it takes none of the usual ones');
    return (good?.status ?? 500) < 300
      ? green(String(good?.status))
      : red(`it is ${good?.status}: ${good?.text.slice(0, 120)}`);
  }),
  // The specification does not state the answer's fields.
  webhookCheck(
    '2.5',
    'subscription-secret',
    "The answer shows a subscription's signing secret (own extension)",
    (pushRun) => (secretOf(pushRun) === null ? red('it shows neither signing_secret nor secret') : green()),
    extensionCheck,
  ),
  webhookCheck(
    '2.5',
    'subscription-target',
    "The answer names a subscription's target endpoint (own extension)",
    ({ subscribed: { good } }) =>
      /"http:\/\/127\.0\.0\.1:\d+\/good"/.test(good?.text ?? '') ? green() : red('it does not name it'),
    extensionCheck,
  ),
];

const deliveries: readonly Check[] = [
  webhookCheck(
    '6.1',
    'webhook-delivered',
    'Events are delivered to the endpoint as POST',
    ({ arrivals: { good }, triggered }) => {
      if (good.length === 0)
        return triggered === null ? skipped(NO_EVENT) : red('events were made to happen, and none was delivered');
      return firstOf(
        good.map(({ method }) => (method === 'POST' ? null : `one came as ${method}`)),
        `${good.length} deliveries`,
      );
    },
  ),
  withArrivals('6.1', 'webhook-json', 'A delivery is a JSON object', (arrivals) =>
    firstOf(
      arrivals.map(({ body }) =>
        readPushedEvent(body.toString('utf8')) === null
          ? `the body is ${shown(body.toString('utf8').slice(0, 60))}`
          : null,
      ),
    ),
  ),
  withArrivals('6.1', 'webhook-signature-header', 'Every delivery carries X-Service-Signature', (arrivals) =>
    firstOf(arrivals.map(({ headers }) => (headers[SIGNATURE_HEADER] === undefined ? 'one has none' : null))),
  ),
  withArrivals(
    '6.1',
    'webhook-signature',
    'It is HMAC-SHA256 over the raw body with the signing secret',
    (_, pushRun) => {
      if (secretOf(pushRun) === null) return skipped('no secret was shown');
      // Includes retries: each attempt has its own signature.
      const forms = Object.values(pushRun.arrivals)
        .flat()
        .flatMap(({ manner, headers, body }) => {
          const secret = secretOf(pushRun, manner);
          return secret === null ? [] : [signatureForm(String(headers[SIGNATURE_HEADER] ?? ''), secret, body)];
        });
      return forms.includes(null)
        ? red('one does not hold, in no known form')
        : green([...new Set(forms)].join(' and '));
    },
  ),
  withArrivals('6.1', 'webhook-event-id', 'Every event carries a unique event_id', (arrivals) => {
    const bodies = new Map<string, string>();
    return firstOf(
      arrivals.map(({ body }) => {
        const text = body.toString('utf8');
        const id = readPushedEvent(text)?.id ?? null;
        if (id === null) return 'an event has no id';
        const known = bodies.get(id);
        bodies.set(id, text);
        return known === undefined || known === text ? null : `${id} is the id of two events`;
      }),
    );
  }),
  withArrivals('6.1', 'webhook-names', 'Events have one of the six names', (arrivals) =>
    firstOf(
      webhookEvents(arrivals).map(({ name }) =>
        (EVENT_NAMES as readonly (string | null)[]).includes(name) || name === 'signal.created'
          ? null
          : `one is called ${shown(name)}`,
      ),
    ),
  ),
  ...EVENT_NAMES.map((event) =>
    withArrivals(
      event.startsWith('signal.') ? '3' : '6.1',
      `event-${event.replaceAll(/[._]/g, '-')}`,
      `${event} is sent when ${EMITTED[event]}`,
      (arrivals, { triggered, symbol }) => {
        if (triggered?.has(event) !== true)
          return skipped(triggered === null ? NO_EVENT : 'it cannot be made to happen');
        const found = webhookEvents(arrivals).filter(({ name }) => name === event);
        if (found.length === 0) return red('it was made to happen, and was not delivered');
        const about =
          event.startsWith('signal.') || event === 'regime.flip' ? found.some((one) => one.symbol === symbol) : true;
        return about ? green() : red(`none is about ${symbol}`);
      },
    ),
  ),
  withArrivals('2.5', 'briefing-event', 'briefing.published includes id and type', (arrivals) => {
    const found = webhookEvents(arrivals).filter(({ name }) => name === 'briefing.published');
    if (found.length === 0) return skipped('none was delivered');
    return firstOf(
      found.map(({ data }) => {
        if (textIn(data, 'id') === null) return 'it has no id';
        return (BRIEFING_TYPES as readonly unknown[]).includes(data.type) ||
          (BRIEFING_TYPES as readonly unknown[]).includes(data.briefing_type)
          ? null
          : `its type is ${shown(data.type)}`;
      }),
    );
  }),
  webhookCheck(
    '6.1',
    'webhook-retry',
    'What is not answered by 2xx is tried again, first after 5 s',
    ({ arrivals, speed }) => {
      const [first, ...later] = arrivals['fails-once'];
      if (first === undefined) return skipped('no delivery came');
      const again = later.find(
        ({ body }) => readPushedEvent(body.toString('utf8'))?.id === readPushedEvent(first.body.toString('utf8'))?.id,
      );
      if (again === undefined) return red('answered with 500, it did not come again');
      const seconds = ((again.at - first.at) / 1_000) * speed;
      // Jitter, and the delays of a busy computer.
      return seconds >= 2.5 && (seconds <= 10 || speed !== 1)
        ? green(`after ${seconds.toFixed(1)} s`)
        : red(`it came again after ${seconds.toFixed(1)} s`);
    },
  ),
  webhookCheck(
    '6.1',
    'webhook-ten-seconds',
    'A delivery waits 10 seconds for its answer',
    ({ arrivals: { silent } }) => {
      const [first] = silent;
      if (first === undefined) return skipped('no delivery came');
      if (first.leftAt === null) return red('it was still waited for an answer after 14 s');
      const seconds = (first.leftAt - first.at) / 1_000;
      return seconds >= 9 && seconds <= 13
        ? green(`${seconds.toFixed(1)} s`)
        : red(`it was given up after ${seconds.toFixed(1)} s`);
    },
  ),
  check('6.1', 'webhook-backoff', 'Then after 30 s, 2 min, 10 min and 1 h, for up to 24 hours', () =>
    skipped('that takes a day'),
  ),
  check('6.1', 'webhook-pause', 'After 24 hours of failure the subscription is paused and an e-mail is sent', () =>
    skipped('that takes a day'),
  ),
];

const stream: readonly Check[] = [
  check('6.2', 'stream-needs-key', 'GET /stream needs a key', async ({ probe }) => {
    const answer = await probe.ask('/stream?severity=high_risk', { key: null });
    return answer.status === 401 ? green() : red(`without a key it is ${answer.status}`);
  }),
  check('6.2', 'stream-opens', 'GET /stream is a stream of server-sent events', async (subject) => {
    const { stream: open } = await subject.pushRun();
    if (open.status !== 200) return red(open.said);
    return open.contentType.startsWith('text/event-stream') ? green() : red(`it is ${shown(open.contentType)}`);
  }),
  streamCheck('stream-delivers', 'It delivers transition events', (pushRun) => {
    const found = streamEvents(pushRun.stream).filter(
      ({ name }) => name?.startsWith('signal.') || name === 'regime.flip',
    );
    return found.length > 0
      ? green(`${found.length} events`)
      : red(`of ${pushRun.stream.messages.length} messages none is a transition`);
  }),
  streamCheck('stream-event-id', 'Events of the stream carry a unique event_id', ({ stream: open }) => {
    const ids = streamEvents(open).map(({ id }) => id);
    return firstOf([
      ids.includes(null) ? 'one has none' : null,
      new Set(ids).size === ids.length ? null : 'one came twice',
    ]);
  }),
  streamCheck('stream-symbols', 'It filters by symbols', ({ filtered, symbol }) =>
    filterOutcome(
      filtered.symbols,
      (one) => one.symbol === null || one.symbol === symbol,
      (one) => one.symbol === symbol,
    ),
  ),
  streamCheck('stream-severity', 'It filters by severity', ({ filtered }) =>
    filtered.severity.status === 400
      ? skipped('its values are not stated, and high_risk is refused')
      : filterOutcome(
          filtered.severity,
          ({ name, data }) =>
            name?.startsWith('signal.') !== true ||
            name === 'signal.high_risk' ||
            (name === 'signal.created' && data.state === 2),
          ({ name }) => name === 'signal.high_risk',
        ),
  ),
  streamCheck('stream-regime', 'It filters by regime', ({ filtered, regime }) => {
    if (regime === null) return skipped('the regime of the symbol is not known');
    if (filtered.regime.status !== 200) return red(filtered.regime.said);
    return firstOf(
      streamEvents(filtered.regime).map(({ name, data }) =>
        name?.startsWith('signal.') && textIn(data, 'regime') !== null && data.regime !== regime
          ? `one of ${shown(data.regime)} came`
          : null,
      ),
    );
  }),
];

function streamCheck(id: string, rule: string, run: (pushRun: PushRun) => Outcome): Check {
  return check('6.2', id, rule, async (subject) => {
    const pushRun = await subject.pushRun();
    if (pushRun.stream.status !== 200) return skipped('the stream does not open');
    if (pushRun.stream.messages.length > 0) return run(pushRun);
    return pushRun.triggered === null ? skipped(NO_EVENT) : red('events were made to happen, and nothing came');
  });
}

function filterOutcome(
  listening: StreamRecording,
  fits: (one: PushedEvent) => boolean,
  isExpected: (one: PushedEvent) => boolean,
): Outcome {
  if (listening.status !== 200) return red(listening.said);
  const found = streamEvents(listening);
  const stranger = found.find((one) => !fits(one));
  if (stranger !== undefined) return red(`${listening.query} lets ${stranger.name} of ${stranger.symbol} pass`);
  return found.some(isExpected) ? green(`${found.length} events`) : red(`${listening.query} lets nothing pass`);
}

export const PUSH_CHECKS: readonly Check[] = [...subscriptions, ...deliveries, ...stream];
