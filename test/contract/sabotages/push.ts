// Contract: violations of subscriptions, webhooks and the event stream (specification 6).
import { createHmac } from 'node:crypto';
import { at, dropped, events, fails, unfiltered, type Violation } from './builders.ts';

const seenDeliveries = new Map<string, number>();

export const PUSH_VIOLATIONS: readonly Violation[] = [
  {
    what: 'no subscriptions',
    red: ['subscribe-registers'],
    sabotage: fails('/signals/subscribe', 500, { code: 'INTERNAL_ERROR', message: 'm' }),
  },
  {
    what: 'a secret that is not shown',
    red: ['subscription-secret'],
    sabotage: at('/signals/subscribe', ({ body }) => void delete body.signing_secret),
  },
  {
    what: 'a target that is not shown',
    red: ['subscription-target'],
    sabotage: at('/signals/subscribe', ({ body }) => void delete body.url),
  },
  { what: 'nothing delivered', red: ['webhook-delivered'], sabotage: { delivery: () => false } },
  {
    what: 'forms instead of JSON',
    red: ['webhook-json'],
    sabotage: {
      delivery: (delivery) => {
        delivery.body = `payload=${encodeURIComponent(delivery.body)}`;
        return true;
      },
    },
  },
  {
    what: 'no signature',
    red: ['webhook-signature-header'],
    sabotage: { delivery: ({ headers }) => delete headers['x-service-signature'] },
  },
  {
    what: 'a signature with another secret',
    red: ['webhook-signature'],
    sabotage: {
      delivery: ({ headers, body }) => {
        headers['x-service-signature'] = createHmac('sha256', 'other').update(body).digest('hex');
        return true;
      },
    },
  },
  {
    what: 'one id for all events',
    red: ['webhook-event-id'],
    sabotage: events((event) => {
      event.event_id = 'evt_1';
      if (event.data.event_id) event.data.event_id = 'evt_1';
    }),
  },
  {
    what: 'events under other names',
    red: ['webhook-names'],
    sabotage: events((event) => Object.assign(event, { event: `risk.${event.event}` })),
  },
  ...['signal.normal', 'signal.elevated', 'signal.high_risk', 'regime.flip', 'briefing.published', 'model.version'].map(
    (name) => ({
      what: `no ${name}`,
      red: [`event-${name.replaceAll(/[._]/g, '-')}`],
      sabotage: dropped(name),
    }),
  ),
  {
    what: 'a briefing without its kind',
    red: ['briefing-event'],
    sabotage: events(({ data }) => void delete data.type),
  },
  {
    what: 'no retry',
    red: ['webhook-retry'],
    sabotage: {
      delivery: ({ body }) => {
        const { event_id: id } = JSON.parse(body);
        seenDeliveries.set(id, (seenDeliveries.get(id) ?? 0) + 1);
        // Four subscriptions receive each event.
        return (seenDeliveries.get(id) ?? 0) <= 4;
      },
    },
  },
  { what: 'a time limit of one second', red: ['webhook-ten-seconds'], sabotage: { deliveryLimit: 1_000 } },
  {
    what: 'a stream of comments',
    red: ['stream-delivers'],
    sabotage: { frame: (frame) => (frame.includes('data: ') ? ': nothing' : frame) },
  },
  { what: 'the same event twice', red: ['stream-event-id'], sabotage: { frame: (frame) => `${frame}\n\n${frame}` } },
  { what: 'filters that are ignored', red: ['stream-symbols', 'stream-severity'], sabotage: unfiltered },
  {
    what: 'other regimes in the stream',
    red: ['stream-regime'],
    sabotage: {
      frame: (frame, path) =>
        path.includes('regime=') ? frame.replace(/"regime":"\w+"/, '"regime":"elsewhere"') : frame,
    },
  },
];
