// Main, core: finds the newest notified alerts of a symbol.

import { BREADTH_EVENT, FOREIGN_EVENT, PRICE_EVENT } from '../../../shared/settings/core-events.ts';
import type { Connection } from '../files/connection.ts';
import { IS_LOCAL } from './entries.ts';

/** Outcomes of notifications that are on the desktop, or will be, alone or in a digest. */
export const NOTIFIED: readonly string[] = ['intent', 'failed', 'shown', 'in_app', 'digest'];

export interface NewestNotifiedStore {
  /** Ledger id of the newest notified High Risk of a symbol; null: none. */
  newestHigh(symbol: string): number | null;
  /** Ledger ids of the newest notified crossing of each rule on the price of a symbol. */
  newestCrossings(symbol: string): number[];
  /**
   * Ledger ids of the notified alerts of other programs and of shares of lists that are not acknowledged, newest
   * first.
   */
  openLocal(): number[];
}

/** Most entries read of a symbol, or of one of its rules, in search of a notified one. */
const MOST = 1_000;
/** Decision about a notified crossing: "matched:RULE". */
const FIRST = 'matched:';
const BEYOND = 'matched;';

export function createNewestNotifiedStore(db: Connection): NewestNotifiedStore {
  const outcomes = NOTIFIED.map((outcome) => `'${outcome}'`).join(', ');
  const wasNotified = `EXISTS (SELECT 1 FROM notifications INDEXED BY notifications_event
    WHERE notifications.ledger_id = entry.ledger_id AND channel = 'desktop' AND kind <> 'digest' AND outcome IN (${outcomes}))`;
  /** The first notified entry; SQLite reads the entries one by one, in their order. */
  const firstOf = (entries: string): string =>
    `SELECT ledger_id FROM (${entries}) AS entry WHERE ${wasNotified} LIMIT 1`;
  const high = db
    .prepare<[string], number>(
      firstOf(`SELECT ledger_id FROM events INDEXED BY events_high WHERE symbol = ? AND to_state = 2
        ORDER BY occurred_s DESC, ledger_id DESC LIMIT ${MOST}`),
    )
    .pluck();
  // The name is a literal: only then does SQLite use the partial index.
  const crossings = `FROM events INDEXED BY events_crossings_rule WHERE event = '${PRICE_EVENT}'`;
  const crossing = db
    .prepare<[string, string], number>(
      firstOf(`SELECT ledger_id ${crossings} AND symbol = ? AND decision = ? ORDER BY ledger_id DESC LIMIT ${MOST}`),
    )
    .pluck();
  // Steps from each decision to the next one.
  const decisions = db
    .prepare<[{ symbol: string }], string>(
      `WITH RECURSIVE found (decision) AS (
         SELECT min(decision) ${crossings} AND symbol = @symbol AND decision >= '${FIRST}' AND decision < '${BEYOND}'
         UNION ALL
         SELECT (SELECT min(decision) ${crossings} AND symbol = @symbol AND decision > found.decision AND decision < '${BEYOND}')
           FROM found WHERE found.decision IS NOT NULL)
       SELECT decision FROM found WHERE decision IS NOT NULL`,
    )
    .pluck();

  const local = db
    .prepare<[], number>(
      `SELECT ledger_id FROM (SELECT ledger_id FROM events INDEXED BY events_local
         WHERE ${IS_LOCAL} AND event IN ('${FOREIGN_EVENT}', '${BREADTH_EVENT}')
         ORDER BY ledger_id DESC LIMIT ${MOST}) AS entry
       WHERE ${wasNotified} AND NOT EXISTS (SELECT 1 FROM annotations WHERE annotations.ledger_id = entry.ledger_id AND acked_ms IS NOT NULL)`,
    )
    .pluck();

  return {
    newestHigh: (symbol) => high.get(symbol) ?? null,
    newestCrossings: (symbol) => decisions.all({ symbol }).flatMap((decision) => crossing.get(symbol, decision) ?? []),
    openLocal: () => local.all(),
  };
}
