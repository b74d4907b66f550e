// Service, store: episodes out of Normal, which transitions open, raise and close.
// GET /alerts lists them.
import type { Database } from 'better-sqlite3';
import type { Claim } from '../../shared/domain/claims.ts';
import type { AssetClass } from '../../shared/domain/instruments.ts';
import type { State } from '../../shared/domain/states.ts';
import type { EventEnvelope } from '../../shared/wire/events.ts';
import { isSignalEvent } from '../../shared/wire/events.ts';
import type { TransitionFilter } from './event-log.ts';

/** Times in world ms. */
export interface Episode {
  readonly id: string;
  readonly symbol: string;
  readonly assetClass: AssetClass;
  readonly startedAt: number;
  /** null while it is open. */
  readonly endedAt: number | null;
  readonly peak: Exclude<State, 0>;
  /** The regime at the entry of the peak. */
  readonly regime: string | null;
  readonly confidence: number | null;
  /** The event that the confidence applies to; null: unknown. */
  readonly claim: Claim | null;
  readonly note: string;
  readonly transitions: readonly string[];
}

export interface EpisodeStore {
  /** Adds logged events, in their order. Call it within the transaction that logs them. */
  follow(envelopes: Iterable<EventEnvelope>): void;
  /** Begins an episode without a transition in the log; an open one stays unchanged. */
  begin(episode: Omit<Episode, 'endedAt' | 'transitions'>): void;
  /**
   * Newest beginning first, below `below` (null: from the newest). `states` are peaks; `from` and `to` limit
   * the beginning, `openAt` is an instant at which they were open.
   * @param since excludes episodes that ended before this instant (world ms)
   */
  list(filter: EpisodeFilter, since: number, below: EpisodePosition | null, limit: number): Episode[];
  /** Deletes episodes that ended before `instant`. */
  prune(instant: number): void;
}

export type EpisodeFilter = Omit<TransitionFilter, 'from'> & {
  readonly from: number | null;
  readonly openAt: number | null;
};
export type EpisodePosition = Pick<Episode, 'startedAt' | 'id'>;

/** A row: `transitions` is JSON. */
type Row = Omit<Episode, 'transitions'> & { readonly transitions: string };
const COLUMNS = `id, symbol, asset_class AS assetClass, started_at AS startedAt, ended_at AS endedAt, peak_state AS peak,
  regime, confidence, claim, note, transitions`;

export function openEpisodes(database: Database): EpisodeStore {
  const insert = database.prepare<[Row]>(
    `INSERT INTO episodes (id, symbol, asset_class, started_at, ended_at, peak_state, regime, confidence, claim, note, transitions)
     VALUES (:id, :symbol, :assetClass, :startedAt, :endedAt, :peak, :regime, :confidence, :claim, :note, :transitions)
     ON CONFLICT DO NOTHING`,
  );
  const open = database.prepare<[string], Row>(`SELECT ${COLUMNS} FROM episodes WHERE symbol = ? AND ended_at IS NULL`);
  const move = database.prepare<[Row]>(
    `UPDATE episodes SET ended_at = :endedAt, peak_state = :peak, regime = :regime, confidence = :confidence, claim = :claim, note = :note,
       transitions = :transitions WHERE id = :id`,
  );
  const prune = database.prepare<[number]>('DELETE FROM episodes WHERE ended_at < ?');

  return {
    follow(envelopes) {
      for (const envelope of envelopes) {
        if (!isSignalEvent(envelope)) continue;
        const { event_id, data } = envelope;
        const { regime, confidence, note } = data;
        const claim = data.confidence_of ?? null;
        const at = Date.parse(data.occurred_at);
        const present = open.get(data.symbol);
        if (present === undefined) {
          if (data.to_state === 0) continue;
          insert.run({
            id: episodeId(event_id),
            symbol: data.symbol,
            assetClass: data.asset_class,
            startedAt: at,
            endedAt: null,
            peak: data.to_state,
            regime,
            confidence,
            claim,
            note,
            transitions: JSON.stringify([event_id]),
          });
          continue;
        }
        const raised =
          data.to_state !== 0 && data.to_state > present.peak
            ? { peak: data.to_state, regime, confidence, claim, note }
            : {};
        const transitions = JSON.stringify([...JSON.parse(present.transitions), event_id]);
        move.run({ ...present, ...raised, endedAt: data.to_state === 0 ? at : null, transitions });
      }
    },
    begin: (episode) => void insert.run({ ...episode, endedAt: null, transitions: '[]' }),
    list: episodeQuery(database),
    prune: (instant) => void prune.run(instant),
  };
}

/** The id of the episode that an event begins. */
export const episodeId = (eventId: string): string => eventId.replace('evt_', 'alt_');

function episodeQuery(database: Database): EpisodeStore['list'] {
  const within = (column: string): string =>
    `(:${column} IS NULL OR ${column} IN (SELECT value FROM json_each(:${column})))`;
  const select = database.prepare<[object], Row>(
    `SELECT ${COLUMNS} FROM episodes WHERE (ended_at >= :since OR ended_at IS NULL)
       AND (:openAt IS NULL OR (started_at <= :openAt AND (ended_at >= :openAt OR ended_at IS NULL)))
       AND (:from IS NULL OR started_at >= :from) AND (:to IS NULL OR started_at <= :to)
       AND (:below IS NULL OR (started_at, id) < (:below, :belowId))
       AND ${['symbol', 'peak_state', 'regime', 'asset_class'].map(within).join(' AND ')}
     ORDER BY started_at DESC, id DESC LIMIT :limit`,
  );
  const list = (values: readonly unknown[] | null): string | null => (values === null ? null : JSON.stringify(values));
  return ({ symbols, states, regimes, classes, from, to, openAt }, since, below, limit) =>
    select
      .all({
        since,
        openAt,
        from,
        to,
        below: below?.startedAt ?? null,
        belowId: below?.id ?? null,
        symbol: list(symbols),
        peak_state: list(states),
        regime: list(regimes),
        asset_class: list(classes),
        limit,
      })
      .map((row) => ({ ...row, transitions: JSON.parse(row.transitions) as string[] }));
}
