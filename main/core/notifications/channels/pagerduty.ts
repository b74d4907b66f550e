// Main, core: triggers, acknowledges and resolves an alert at PagerDuty; all of a notification have one key.
// https://developer.pagerduty.com/docs/send-alert-event
import { message } from '../../../../shared/text/message.ts';
import { bodyOf, type Channel, cut, ONE_DAY, requiredSecret, sequenceOf } from './channel.ts';
import { post } from './http.ts';

const SEVERITY = { low: 'info', normal: 'warning', critical: 'critical' };

export const pagerduty: Channel<'pagerduty'> = {
  retriedFor: ONE_DAY,
  secretOwner: ({ server }) => server,
  async send({ server }, notification, secret, ports) {
    const { id, title, urgency, symbol } = notification;
    const { host } = await post(ports, {
      url: `${server}/v2/enqueue`,
      body: JSON.stringify({
        routing_key: requiredSecret(secret),
        event_action: 'trigger',
        dedup_key: sequenceOf(id),
        client: 'Barograph',
        payload: {
          summary: cut(title, 1024),
          source: 'Barograph',
          severity: SEVERITY[urgency],
          ...(symbol === null ? {} : { component: symbol }),
          custom_details: { text: cut(bodyOf(notification), 8000) },
        },
      }),
      secret,
    });
    return { outcome: 'sent', detail: message('delivery.taken', { host }) };
  },
  async settle({ server }, { id, settlement }, secret, ports) {
    await post(ports, {
      url: `${server}/v2/enqueue`,
      body: JSON.stringify({
        routing_key: requiredSecret(secret),
        event_action: settlement === 'over' ? 'resolve' : 'acknowledge',
        dedup_key: sequenceOf(id),
      }),
      secret,
    });
  },
};
