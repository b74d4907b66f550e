// Contract: violations in what is pushed: states, times and ids of events, and retries (specification 2, 6).
import { later, signed, type Violation } from './builders.ts';

const HOUR_MS = 3_600_000;
const repeated = new Set<string>();

const events: readonly Violation[] = [
  {
    what: 'shares instead of percentages in webhooks',
    red: ['pushed-confidence', 'stream-same-events'],
    sabotage: signed(({ data }) => {
      if (data.confidence) data.confidence = Number((data.confidence / 100).toFixed(3));
    }),
  },
  {
    what: 'a High Risk that is called Normal in the data',
    red: ['state-integers', 'stream-same-events'],
    sabotage: signed(({ event, data }) => {
      if (event === 'signal.high_risk') Object.assign(data, { state: 0, to_state: 0, state_name: 'normal' });
    }),
  },
  {
    what: 'webhooks of another zone',
    red: ['event-times', 'transitions-listed'],
    sabotage: signed((event) => {
      const { data } = event;
      if (data.occurred_at) data.occurred_at = later(data.occurred_at, HOUR_MS);
      event.timestamp = later(event.timestamp, HOUR_MS);
    }),
  },
  {
    what: 'events of briefings that are nowhere',
    red: ['briefing-archived'],
    sabotage: signed(({ event, data }) => {
      if (event === 'briefing.published') data.id = `${data.id}X`;
    }),
  },
];

const retries: readonly Violation[] = [
  {
    what: 'retries that say more than was signed',
    red: ['webhook-signature'],
    // The retry is waited for.
    first: ['webhook-retry'],
    sabotage: {
      delivery: (delivery) => {
        const sent = `${JSON.parse(delivery.body).event_id} ${delivery.target}`;
        if (repeated.has(sent)) delivery.body = JSON.stringify({ ...JSON.parse(delivery.body), attempt: 2 });
        repeated.add(sent);
        return true;
      },
    },
  },
  {
    what: 'no retry after a refusal',
    red: ['webhook-retry-4xx'],
    first: ['webhook-retry'],
    sabotage: { deliveryStatus: (status) => (status === 404 ? 200 : status) },
  },
  {
    what: 'a redirect that counts as a success',
    red: ['webhook-retry-3xx'],
    first: ['webhook-retry'],
    sabotage: { deliveryStatus: (status) => (status === 302 ? 200 : status) },
  },
  {
    what: 'retries after a success without a body',
    red: ['webhook-any-2xx'],
    first: ['webhook-retry', 'webhook-ten-seconds'],
    sabotage: { deliveryStatus: (status) => (status === 204 ? 500 : status) },
  },
];

export const PUSHED_VIOLATIONS: readonly Violation[] = [...events, ...retries];
