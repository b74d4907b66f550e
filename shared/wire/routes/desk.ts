// Pure: endpoints of a desk: monitors of one account share who deals with an alert (extensions).
import { z } from 'zod';
import { DeskActBodySchema, DeskActIdSchema, DeskActSchema } from '../desk.ts';
import { listOf } from '../records.ts';
import { get, nothing, page, route } from './parameters.ts';

export const deskRoutes = {
  deskActs: route({
    ...get,
    path: '/desk/acts',
    summary: 'What members of the desk of this account did with alerts, in the order of their arrival (extension)',
    query: z.object({
      limit: page.limit,
      after: DeskActIdSchema.optional().meta({
        description: 'Id of the last act that is known; without it, from the oldest one kept.',
        example: '0190c2f0-7a4e-7c1e-8f0a-3c5d2b1a9e77',
      }),
    }),
    reply: listOf(DeskActSchema),
    errors: ['invalid_request'],
  }),
  addDeskAct: route({
    ...get,
    method: 'POST',
    access: 'webhooks',
    path: '/desk/acts',
    summary: 'Adds an act, once: a repeated id is answered with the act that is kept (extension)',
    success: [201, 200],
    query: nothing,
    body: DeskActBodySchema,
    reply: DeskActSchema,
    errors: ['invalid_request', 'forbidden'],
  }),
} as const;
