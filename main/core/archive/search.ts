// Main, core: one search over briefings, alerts, notes and news. Runs in the reader's thread.
import type { Database } from 'better-sqlite3';
import { HIT_KINDS, type Hit } from '../../../shared/channels/archive.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { matchOf, segmentsOf, snippet } from './match.ts';
import { isUntimed, splitSymbols, timeOfPosition } from './positions.ts';

export interface SearchRequest {
  readonly text: string;
  readonly kinds: readonly Hit['kind'][] | null;
  readonly limit: number;
}

interface SearchMatch {
  readonly id: string | number;
  readonly title: string;
  readonly excerpt: string;
  readonly symbol: string | null;
  /** ms; null: not known. */
  readonly at: number | null;
  /** Result of bm25: smaller is better. */
  readonly rank: number;
}

const EXCERPT_TERMS = 24;
/** Alerts repeat one line of text a hundred times: texts by people precede them at equal rank. */
const WEIGHTS: Readonly<Record<Hit['kind'], number>> = {
  briefing: 1,
  note: 1,
  symbol_note: 1,
  news: 0.8,
  alert: 0.6,
};

/**
 * Prepares the search over one open archive. It returns the best hits first, with a share for every kind, so
 * that a term of many headlines does not hide the alerts. Alerts differ by their time alone: it returns the
 * newest ones.
 */
export function createSearch(db: Database): (ask: SearchRequest) => Hit[] {
  const finders: Readonly<Record<Hit['kind'], Finder>> = {
    briefing: inTable(db, 'briefings', 'title'),
    news: inTable(db, 'news', 'headline'),
    alert: inAlerts(db, 'alerts_fts'),
    note: inAlerts(db, 'notes_fts'),
    symbol_note: inSymbolNotes(db),
  };
  return ({ text, kinds, limit }) => {
    const match = matchOf(text);
    if (match === null) return [];
    const searchedKinds = HIT_KINDS.filter((kind) => kinds === null || kinds.includes(kind));
    const lists = searchedKinds.map((kind) =>
      finders[kind](match, limit)
        .map((found) => ({ kind, found, worth: found.rank * WEIGHTS[kind] }))
        .sort(bestFirst),
    );
    const share = Math.floor(limit / searchedKinds.length);
    const certain = lists.flatMap((list) => list.slice(0, share));
    const others = lists.flatMap((list) => list.slice(share)).sort(bestFirst);
    return [...certain, ...others.slice(0, limit - certain.length)].sort(bestFirst).map(({ kind, found }) => ({
      kind,
      id: String(found.id),
      title: found.title,
      excerpt: segmentsOf(found.excerpt),
      symbol: found.symbol,
      at: found.at === null ? null : timestamp(found.at),
    }));
  };
}

interface RankedMatch {
  readonly found: SearchMatch;
  readonly worth: number;
}
const bestFirst = (a: RankedMatch, b: RankedMatch): number =>
  a.worth - b.worth || (b.found.at ?? 0) - (a.found.at ?? 0);

type Finder = (match: string, limit: number) => SearchMatch[];

/** The index ranks; only the best rows are read from the tables. */
function inTable(db: Database, table: 'briefings' | 'news', title: string): Finder {
  const find = db.prepare<
    [string, number],
    { n: number; id: string; title: string; symbols: string; excerpt: string; rank: number }
  >(
    `SELECT b.n, b.id, b.${title} AS title, b.symbols, w.excerpt, w.rank
     FROM (SELECT rowid, rank, ${snippet(`${table}_fts`, EXCERPT_TERMS)} AS excerpt FROM ${table}_fts WHERE ${table}_fts MATCH ? ORDER BY rank LIMIT ?) w
     CROSS JOIN ${table} b ON b.n = w.rowid`,
  );
  return (match, limit) =>
    find.all(match, limit).map(({ n, symbols, ...row }) => ({
      ...row,
      symbol: splitSymbols(symbols)[0] ?? null,
      at: isUntimed(n) ? null : timeOfPosition(n),
    }));
}

function inAlerts(db: Database, index: 'alerts_fts' | 'notes_fts'): Finder {
  const find = db.prepare<
    [string, number],
    { ledger_id: number; title: string; symbol: string; at_s: number; excerpt: string; rank: number }
  >(
    `SELECT a.ledger_id, a.title, a.symbol, a.at_s, w.excerpt, w.rank
     FROM (SELECT rowid, rank, ${snippet(index, EXCERPT_TERMS)} AS excerpt FROM ${index} WHERE ${index} MATCH ? ORDER BY rowid DESC LIMIT ?) w
     CROSS JOIN alerts a ON a.ledger_id = w.rowid`,
  );
  return (match, limit) => {
    const rows = find.all(match, limit);
    const best = Math.min(...rows.map(({ rank }) => rank));
    return rows.map(({ ledger_id, at_s, ...row }) => ({ ...row, id: ledger_id, at: at_s * 1000, rank: best }));
  };
}

function inSymbolNotes(db: Database): Finder {
  const find = db.prepare<[string, number], { id: number; symbol: string; at: string; excerpt: string; rank: number }>(
    `SELECT n.id, n.symbol, n.at, w.excerpt, w.rank
     FROM (SELECT rowid, rank, ${snippet('symbol_notes_fts', EXCERPT_TERMS, 1)} AS excerpt FROM symbol_notes_fts WHERE symbol_notes_fts MATCH ? ORDER BY rank LIMIT ?) w
     CROSS JOIN symbol_notes n ON n.id = w.rowid`,
  );
  return (match, limit) =>
    find.all(match, limit).map(({ at, ...row }) => ({ ...row, title: row.symbol, at: Date.parse(at) }));
}
