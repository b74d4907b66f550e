// Main, core: how a ledger was lost, kept in the one that replaces it until the service was listed again.
import { z } from 'zod';
import { type Message, message } from '../../../shared/text/message.ts';
import type { MetadataStore } from './metadata.ts';

/** empty: the file has no bytes, or no rows where there were some. */
const LossKindSchema = z.enum(['damaged', 'missing', 'empty']);
export type LossKind = z.infer<typeof LossKindSchema>;

const LedgerLossSchema = z
  .object({
    /** When it was found, this computer's clock, ISO. */
    at: z.string(),
    kind: LossKindSchema,
    /** Name of the file that was set aside, in the same folder; null: there was none. */
    name: z.string().nullable(),
    /** Time until which the lost ledger, or the backup that replaces it, was connected, ISO. */
    connectedUntil: z.iso.datetime(),
    /** Whether that time is the world's; false: this computer's. */
    isWorldTime: z.boolean(),
    /** Of the same clock: the history of notifications, or this instant, tells what was notified before. */
    settledUntil: z.iso.datetime(),
    /** Name of the backup that replaces it; null: there is no backup, and a new ledger begins. */
    restored: z.string().nullable(),
  })
  .readonly();
export type LedgerLoss = z.infer<typeof LedgerLossSchema>;

/** A program that is killed now says it at its next start. */
export const storeLoss = (metadata: MetadataStore, loss: LedgerLoss): void =>
  metadata.set('unsettled_loss', JSON.stringify(loss));

/** The ledger has all that the service lists: it is as complete as the lost one. */
export function clearLoss(metadata: MetadataStore): void {
  if (storedLoss(metadata) !== null) metadata.set('unsettled_loss', '');
}

/** The loss that an earlier run, or this one, has not settled. */
export function storedLoss(metadata: MetadataStore): LedgerLoss | null {
  const text = metadata.get('unsettled_loss');
  if (text === null || text === '') return null;
  try {
    return LedgerLossSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Message for the user about a ledger that was lost. */
export const lossMessage = ({ kind, name, restored, connectedUntil }: LedgerLoss): Message =>
  message('ledger.lost', { kind, name, restored, until: connectedUntil });
