// Main, core: brings the acknowledgement and the note of an alert in line with what its desk did.
import { MINUTE_MS } from '../../../shared/lib/time.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import type { DeskAct } from '../../../shared/wire/desk.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { holderOf, newestOf } from './acts.ts';

/** Call it in a transaction. @param own the name of this monitor's user @returns the ledger ids that changed */
export function settle(ledger: Ledger, own: string | null, eventIds: readonly string[], now: number): number[] {
  return eventIds.flatMap((eventId) => {
    const id = ledger.entries.findById(eventId)?.ledger_id;
    return id !== undefined && settleOne(ledger, own, id, ledger.deskActs.of(eventId), now) ? [id] : [];
  });
}

function settleOne(
  { annotations, trace }: Ledger,
  own: string | null,
  id: number,
  acts: readonly DeskAct[],
  now: number,
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
  // Somebody took it here too, later: the first of the two holds it.
  const isOvertaken = holder !== null && ackedAt !== null && holder.by !== own && Date.parse(holder.at) < ackedAt;
  if (holder !== null && (ackedAt === null || (isOvertaken && !isSaid(trace.of(id), holder.by)))) {
    if (ackedAt === null) annotations.acknowledge(id, now);
    const minutes = Math.max(0, Math.round((now - Date.parse(holder.at)) / MINUTE_MS));
    step('acknowledged', message('trace.desk_taken', { by: holder.by, minutes }));
  } else if (holder === null && ackedAt !== null && released !== null && ackedAt <= Date.parse(released.at)) {
    annotations.acknowledge(id, null);
    step('acknowledged', message('trace.desk_released', { by: released.by }));
  }
  if (noted !== null && noted.note !== note) {
    annotations.write(id, noted.note);
    step('noted', plainMessage(`${noted.by}: ${noted.note}`));
  }
  return isChanged;
}

const isSaid = (steps: ReturnType<Ledger['trace']['of']>, by: string): boolean =>
  steps.some(({ detail }) => detail?.code === 'trace.desk_taken' && detail.values.by === by);
