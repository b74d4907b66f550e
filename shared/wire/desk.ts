// Pure: schemas of a desk: what its members did with alerts, shared by the monitors of one account (extension).
import { z } from 'zod';
import { TimestampSchema } from './primitives.ts';

export const DESK_ACTS = ['taken', 'released', 'noted'] as const;
/** Acts that one ends. */
export const MOST_RELEASES = 50;

export const DeskActIdSchema = z.uuid().meta({
  description: 'Id of the act, given by the monitor: a repeated request adds nothing.',
  example: '0190c2f0-7a4e-7c1e-8f0a-3c5d2b1a9e77',
});
/** Control characters would break the lines of a log and of a list. */
const line = (most: number) =>
  z
    .string()
    .max(most)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it refuses
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'one line, without control characters');

/** Of a request; of an answer it has a name in the OpenAPI document. */
export const DeskActBodySchema = z.object({
  id: DeskActIdSchema,
  event_id: z.string().min(1).max(200).meta({
    description: 'Event whose alert it is about.',
    example: 'evt_01J9Z8Q4M2V6K3T5',
  }),
  act: z.enum(DESK_ACTS).meta({
    description: 'taken: somebody deals with the alert. released: nobody does any more. noted: a note of hand-over.',
    example: 'taken',
  }),
  by: line(60).min(1).meta({ description: 'Who did it.', example: 'ann' }),
  at: TimestampSchema.meta({
    description: 'When, by the clock of the monitor. A time ahead of the service becomes that of its arrival.',
    example: '2026-03-02T14:32:39.797Z',
  }),
  note: line(1000).meta({ description: 'Text of a note; else empty.', example: '' }),
  releases: z.array(z.uuid()).max(MOST_RELEASES).meta({
    description: 'Of released: ids of the acts that it ends. One that the monitor does not know yet goes on.',
    example: [],
  }),
});
export const DeskActSchema = DeskActBodySchema.meta({
  id: 'DeskAct',
  description: 'What a member of a desk did with an alert. The service keeps it for 90 days.',
});
export type DeskAct = z.output<typeof DeskActSchema>;
