// Pure: the English of messages about the ledger and its gaps.
import { dataSize } from '../../format.ts';

const unwritable = (why: string): string =>
  `The ledger cannot be written (${why}). Nothing is told before it is written down.`;

interface Loss {
  readonly kind: string;
  readonly name: string | null;
  readonly restored: string | null;
  readonly until: string;
}
/** An instant, ISO. */
const minuteOf = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

export const ledgerMessages = {
  'file.move_away': () => 'Move it away.',
  'file.not_yours': ({ path }: { path: string }) => `Your user may not read and write ${path}`,
  'file.take': ({ path }: { path: string }) => `Run sudo chown "$USER" '${path}'.`,
  'ledger.unwritable': ({ why }: { why: string }) => `${unwritable(why)} Make room on the disk, or check its rights.`,
  'ledger.in_memory': ({ why }: { why: string }) =>
    `The ledger cannot be written (${why}). Alerts are still shown, from memory, and are written down as soon as that is possible. Make room on the disk, check its rights, or end the program that has locked the ledger.`,
  'ledger.damaged': ({ why }: { why: string }) =>
    `The ledger is damaged (${why}). Barograph sets the file aside and takes the last backup.`,
  /**
   * `name`: the file set aside; `restored`: the backup that replaced it; `until`: when the lost one was
   * complete.
   */
  'ledger.lost': ({ kind, name, restored, until }: Loss) =>
    `The ledger was ${kind}${name === null ? '.' : ` and is set aside as ${name}.`} ${
      restored === null
        ? `It is filled again from the service. What came since ${minuteOf(until)} and was not notified is notified now.`
        : `${restored} stands in its place. What came since is filled again from the service; what was not notified is notified now.`
    }`,
  /** Stored by an earlier version. */
  'ledger.quarantined': ({ name, restored }: { name: string; restored: string | null }) =>
    `The ledger was damaged and is set aside as ${name}. ${
      restored === null
        ? 'It is filled again from the service.'
        : `${restored} stands in its place; what came since is filled again from the service.`
    }`,
  'ledger.written_back': ({ fault }: { fault: string }) =>
    `The file of the ledger was ${fault} while Barograph ran. Barograph still had it open and wrote it back complete.`,
  /** Title and text of a notification. */
  'ledger.alarm': ({ cause }: { cause: string }) => `The ledger was lost and is back\n${cause}`,

  // Causes of gaps.
  'gap.other_log': () => 'The service has another event log than before. It is read again from its oldest event.',
  'gap.hole': ({ seq }: { seq: number | null }) => `The stream left something out after event ${seq}.`,
  'gap.unwritten': ({ why }: { why: string }) =>
    `The ledger could not be written (${why}). What arrived was kept in memory.`,
  'gap.lost': ({ from, to }: { from: number; to: number }) =>
    `The service has no record of ${from === to ? `event ${from}` : `events ${from} to ${to}`}. This gap stays open.`,

  // Problems of events; each is the cause of a gap.
  'event.no_symbol': ({ id, event, given }: { id: string; event: string; given: string }) =>
    `${event} (${id}) names no symbol that can be read${given === '' ? '' : ` ("${given}")`}. Ask the service which one it means.`,
  'event.no_state': ({ id, event, symbol }: { id: string; event: string; symbol: string }) =>
    `${event} (${id}) for ${symbol} names no state that can be read.`,
  'event.no_name': ({ id }: { id: string }) => `Event ${id} has no name, so its meaning is unknown.`,
  'event.no_object': ({ id }: { id: string }) => `Event ${id} is not a JSON object, so its meaning is unknown.`,
  'event.unreadable': ({ id, why }: { id: string; why: string }) => `Event ${id} cannot be read: ${why}.`,
  'event.not_utf8': ({ id }: { id: string }) =>
    `The text of event ${id} is not UTF-8. What could be read of it is recorded.`,
  'event.too_large': ({ id, size, most }: { id: string; size: number; most: number }) =>
    `Event ${id} has ${dataSize(size)}, more than ${dataSize(most)}. Only its beginning is kept.`,
  'event.dated': ({ id, stated, at }: { id: string; stated: string; at: string }) =>
    `Event ${id} is dated ${stated}, which cannot be. The time of its arrival, ${at}, counts as its time.`,
  'event.reused': ({ id }: { id: string }) =>
    `The service used the id ${id} again, for another event. Both are recorded.`,
  /** `last`: the problem of the last one. */
  'event.several': ({ count, last }: { count: number; last: string }) => `${count} events. The last one: ${last}`,
};
