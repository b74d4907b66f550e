// Main, core: brings the acknowledgement and the note of an alert in line with what its desk did.
import { MINUTE_MS } from '../../../shared/lib/time.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import type { DeskAct } from '../../../shared/wire/desk.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { holderOf, newestOf, oneLine } from './acts.ts';

/**
 * Call it in a transaction.
 * @param own the name of this monitor's user
 * @param arrived ids of the acts that came now; null: their alerts came now
 * @returns the ledger ids that changed
 */
export function settle(
  ledger: Ledger,
  own: string | null,
  eventIds: readonly string[],
  now: number,
  arrived: ReadonlySet<string> | null,
): number[] {
  return eventIds.flatMap((eventId) => {
    const id = ledger.entries.findById(eventId)?.ledger_id;
    return id !== undefined && settleOne(ledger, own, id, ledger.deskActs.of(eventId), now, arrived) ? [id] : [];
  });
}

function settleOne(
  { annotations, trace }: Ledger,
  own: string | null,
  id: number,
  acts: readonly DeskAct[],
  now: number,
  arrived: ReadonlySet<string> | null,
): boolean {
  const { ackedAt, note } = annotations.of(id);
  const holder = holderOf(acts);
  const released = newestOf(acts, 'released');
  const noted = newestOf(acts, 'noted');
  let isChanged = false;
  const step = (what: 'acknowledged' | 'noted', detail: Message): void => {
    trace.append(id, what, detail, now);
    isChanged = true;
  };
  const takenAt = holder === null ? null : Date.parse(holder.at);
  // The same time on every monitor: it says which act it is of. An older one is of this monitor alone.
  if (holder !== null && takenAt !== null && (ackedAt === null || ackedAt > takenAt)) {
    annotations.acknowledge(id, takenAt);
    const minutes = Math.max(0, Math.round((now - takenAt) / MINUTE_MS));
    if (holder.by !== own) step('acknowledged', message('trace.desk_taken', { by: holder.by, minutes }));
    isChanged = true;
  } else if (holder === null && released !== null && isOfAct(ackedAt, acts)) {
    annotations.acknowledge(id, null);
    step('acknowledged', message('trace.desk_released', { by: released.by }));
  }
  // An older one must not replace what was written while the desk was off.
  const isNewNote = noted !== null && (arrived === null || arrived.has(noted.id));
  if (isNewNote && noted.note !== oneLine(note)) {
    annotations.write(id, noted.note);
    step('noted', plainMessage(`${noted.by}: ${noted.note}`));
  }
  return isChanged;
}

const isOfAct = (ackedAt: number | null, acts: readonly DeskAct[]): boolean =>
  acts.some(({ act, at }) => act === 'taken' && Date.parse(at) === ackedAt);
