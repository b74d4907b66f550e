// Main, core: the loss of a ledger, stored in its replacement until the service was listed again.
import { z } from 'zod';
import { type Message, message } from '../../../shared/text/message.ts';
import type { MetadataStore } from './metadata.ts';

/** empty: the file has no bytes, or its rows are gone. */
const LossKindSchema = z.enum(['damaged', 'missing', 'empty']);
export type LossKind = z.infer<typeof LossKindSchema>;

const LedgerLossSchema = z
  .object({
    /** Time of the discovery, this computer's clock, ISO. */
    at: z.string(),
    kind: LossKindSchema,
    /** Name of the quarantined file, in the same folder; null: there was no file. */
    name: z.string().nullable(),
    /** Time until which the lost ledger, or the backup that replaces it, was connected, ISO. */
    connectedUntil: z.iso.datetime(),
    /** True: both times are world time; false: this computer's clock. */
    isWorldTime: z.boolean(),
    /** Earlier events were notified, or the history of notifications names them; ISO. */
    settledUntil: z.iso.datetime(),
    /** Name of the restored backup; null: no backup, a new ledger begins. */
    restored: z.string().nullable(),
  })
  .readonly();
export type LedgerLoss = z.infer<typeof LedgerLossSchema>;

/** Stores the loss, so that a killed program reports it at its next start. */
export const storeLoss = (metadata: MetadataStore, loss: LedgerLoss): void =>
  metadata.set('unsettled_loss', JSON.stringify(loss));

/** Call when all events of the service's list are in the ledger: it is as complete as the lost one. */
export function clearLoss(metadata: MetadataStore): void {
  if (storedLoss(metadata) !== null) metadata.set('unsettled_loss', '');
}

/** The stored loss; null: none, or the service was listed since. */
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
