// Renderer: the inbox of alerts as far back as a page asks for it, read page by page from the core and kept on a shelf. While anything is read, what was
// there before stays; many askings at once are one.
import type { InboxPage } from '../../shared/channels/alerting.ts';
import type { Channels } from '../../shared/channels/channels.ts';
import type { Window } from '../../shared/channels/ends.ts';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Ingest } from '../store/ingest.ts';

export interface InboxReader {
  /** Reads back to this world time, ms, and at most so many rows; anew whenever it is called. */
  read(from: number, most: number): void;
  /** Ends what is under way; what was read stays. */
  stop(): void;
}

/** Rows of one page. */
const PAGE = 200;
/** The least time between two readings, ms: a storm of events must not keep the core from its work. */
const PAUSE = 1000;

export function createInboxReader(window: Window<Channels>, ingest: Ingest, clock: Clock): InboxReader {
  let held: InboxPage = { rows: [], next: null };
  let wanted: { readonly from: number; readonly most: number } | null = null;
  let isReading = false;
  let isStopped = false;
  let lastAt = Number.NEGATIVE_INFINITY;
  let cancelWait: Cancel | null = null;

  const put = (rows: InboxPage['rows'], next: InboxPage['next'], isWhole: boolean, isLast: boolean): void => {
    const known = new Set(rows.map(({ alert }) => alert.ledger_id));
    // Until the rest is read again, it stands as it was read before.
    const rest = isWhole
      ? []
      : held.rows.filter(
          ({ alert }) => !known.has(alert.ledger_id) && (next === null || alert.transition.occurred_at <= next.at),
        );
    const value: InboxPage = { rows: [...rows, ...rest], next: rest.length > 0 ? held.next : next };
    ingest({ kind: 'reading.done', shelf: 'inbox', key: '', value });
    if (isLast) held = value;
    else ingest({ kind: 'reading.begun', shelf: 'inbox', key: '', progress: null });
  };
  const pass = async ({ from, most }: { readonly from: number; readonly most: number }): Promise<void> => {
    ingest({ kind: 'reading.begun', shelf: 'inbox', key: '', progress: null });
    const rows: InboxPage['rows'] = [];
    let before: InboxPage['next'] = null;
    try {
      for (;;) {
        const page: InboxPage = await window.call('alerts.read', { filter: 'all', symbol: null, before, limit: PAGE });
        rows.push(...page.rows);
        before = page.next;
        const isWhole = before === null || rows.length >= most || Date.parse(before.at) < from;
        put([...rows], before, isWhole, isWhole || isStopped);
        if (isWhole || isStopped) return;
      }
    } catch (thrown) {
      ingest({ kind: 'reading.failed', shelf: 'inbox', key: '', message: messageOf(thrown) });
    }
  };
  const go = async (): Promise<void> => {
    if (isReading || cancelWait !== null || wanted === null) return;
    const wait = lastAt + PAUSE - clock.now();
    if (wait > 0 && wait <= PAUSE) {
      cancelWait = clock.after(wait, () => {
        cancelWait = null;
        void go();
      });
      return;
    }
    const asked = wanted;
    wanted = null;
    isReading = true;
    isStopped = false;
    await pass(asked);
    lastAt = clock.now();
    isReading = false;
    void go();
  };
  return {
    read(from, most) {
      wanted = { from, most };
      void go();
    },
    stop() {
      isStopped = true;
      wanted = null;
    },
  };
}
