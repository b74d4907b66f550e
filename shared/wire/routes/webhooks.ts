// Pure: endpoints of webhook subscriptions and their deliveries.
import { z } from 'zod';
import { InstantSchema } from '../primitives.ts';
import { listOf } from '../records.ts';
import {
  DELIVERY_STATUSES,
  DeliverySchema,
  ReplayBodySchema,
  ReplayReplySchema,
  SubscribeBodySchema,
  SubscribeReplySchema,
  SubscriptionSchema,
} from '../subscriptions.ts';
import { get, idParam, nothing, page, route } from './parameters.ts';

const subscriptionId = z.object({ id: idParam(64, 'sub_26a4f8c2ee27e866ed682c94') });
/** A command to one subscription. */
const command = { ...get, method: 'POST', access: 'webhooks', params: subscriptionId, query: nothing } as const;

export const webhookRoutes = {
  subscribe: route({
    ...get,
    method: 'POST',
    access: 'webhooks',
    path: '/signals/subscribe',
    summary: 'Registers a webhook endpoint; the answer that creates it shows the signing secret, once',
    success: [201, 200],
    idempotent: true,
    query: nothing,
    body: SubscribeBodySchema,
    reply: SubscribeReplySchema,
    errors: ['invalid_request', 'forbidden', 'symbol_not_covered'],
  }),
  subscriptions: route({
    ...get,
    access: 'webhooks',
    path: '/signals/subscriptions',
    summary: 'Webhook subscriptions, newest first (extension)',
    query: z.object(page),
    reply: listOf(SubscriptionSchema),
    errors: ['invalid_request', 'forbidden'],
  }),
  subscription: route({
    ...get,
    access: 'webhooks',
    path: '/signals/subscriptions/:id',
    summary: 'One webhook subscription (extension)',
    params: subscriptionId,
    query: nothing,
    reply: SubscriptionSchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  deleteSubscription: route({
    ...get,
    method: 'DELETE',
    access: 'webhooks',
    path: '/signals/subscriptions/:id',
    summary: 'Ends a webhook subscription and forgets its deliveries (extension)',
    params: subscriptionId,
    query: nothing,
    reply: z.object({
      id: SubscriptionSchema.shape.id,
      deleted: z.literal(true).meta({ description: 'Always true.' }),
    }),
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  resumeSubscription: route({
    ...command,
    path: '/signals/subscriptions/:id/resume',
    summary: 'Makes a subscription active and sends what it missed, of the last 7 days at most (extension)',
    body: z
      .object({
        since: InstantSchema.optional().meta({
          description:
            'Events that occurred at or after this instant are sent; 7 days back at most, which is also the default.',
          example: '2026-03-01T00:00:00Z',
        }),
      })
      .nullish(),
    reply: SubscriptionSchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  rotateSecret: route({
    ...command,
    path: '/signals/subscriptions/:id/rotate-secret',
    summary:
      'Makes a second signing secret, shown once; webhook-signature carries both signatures from now on (extension)',
    reply: SubscribeReplySchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  promoteSecret: route({
    ...command,
    path: '/signals/subscriptions/:id/promote-secret',
    summary: 'Ends a rotation: the second secret is the only one (extension)',
    reply: SubscriptionSchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  testSubscription: route({
    ...command,
    path: '/signals/subscriptions/:id/test',
    summary: 'Sends the newest fitting event once more, now, and says what the endpoint answered (extension)',
    reply: DeliverySchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  deliveries: route({
    ...get,
    access: 'webhooks',
    path: '/signals/subscriptions/:id/deliveries',
    summary: 'What was sent, what came back, what is still to be sent; newest first, 7 days (extension)',
    params: subscriptionId,
    query: z.object({
      ...page,
      status: z
        .enum(DELIVERY_STATUSES)
        .optional()
        .meta({ description: 'Deliveries of this status only.', example: 'failed' }),
    }),
    reply: listOf(DeliverySchema),
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  replaySubscription: route({
    ...command,
    path: '/signals/subscriptions/:id/replay',
    summary:
      'Sends the events of a range once more, in their order, as far back as the log goes; 1000 at a time (extension)',
    body: ReplayBodySchema,
    reply: ReplayReplySchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  replayDelivery: route({
    ...command,
    path: '/signals/subscriptions/:id/deliveries/:delivery/replay',
    summary: 'Sends the event of a delivery once more, the same bytes (extension)',
    params: subscriptionId.extend({
      delivery: z.string().min(1).max(64).meta({ description: 'Id of a delivery.', example: 'dlv_1' }),
    }),
    reply: DeliverySchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
} as const;
