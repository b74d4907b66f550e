// Main, core: while one symbol, usually that of the market, or a share of a list is High Risk, the alerts of others are
// listed in its notification, or held back once that was acknowledged.

import type { Row } from '../../../shared/channels/state.ts';
import type { State } from '../../../shared/domain/states.ts';
import { symbolsOf, type Watchlist } from '../../../shared/domain/watchlists.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { DEFAULT_RULE, type Grouping, type Rule } from '../../../shared/settings/alert-rules.ts';
import {
  INHIBITION_RULE,
  isMeasured,
  type ListShare,
  measureBreadth,
} from '../../../shared/settings/breadth-conditions.ts';
import { BREADTH_EVENT } from '../../../shared/settings/core-events.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { MAX_JOINED } from './groups.ts';
import { isOpenOutcome } from './outcomes.ts';
import type { RuleStore } from './rule-store.ts';

/** A High Risk that holds back other alerts. */
export interface Inhibitor {
  /** What is High Risk: a symbol, or the name of a list with the percentage. */
  readonly what: { readonly symbol: string } | { readonly list: string; readonly percent: number };
  /** Id of its notification, which others join; null: it was acknowledged. */
  readonly notificationId: string | null;
}

export interface InhibitionDeps {
  readonly ledger: Pick<Ledger, 'entries' | 'notifications' | 'annotations'>;
  readonly ruleStore: Pick<RuleStore, 'grouping'>;
  readonly world: { now(): number };
  readonly lists: () => readonly Watchlist[];
  /** Rows of the watched symbols. */
  readonly rows: () => readonly Row[];
}

/** The rule that notifies of the share of a list that holds back others, beside rules of the user on the same share. */
export const inhibitionRules = ({ inhibited_by: by }: Grouping): Rule[] =>
  by === null || typeof by === 'string'
    ? []
    : [
        {
          ...DEFAULT_RULE,
          id: INHIBITION_RULE,
          name: texts.settings.section.grouping,
          events: [BREADTH_EVENT],
          min_state: 0,
          breadth: { ...by, state: 2 },
        },
      ];

/**
 * What holds back an alert of this symbol that entered `state`; null: nothing. A High Risk that nobody was notified
 * of, or not yet, holds back nothing, so that an alert is never silent. A fall is good news, and is notified.
 */
export function inhibitorOf(deps: InhibitionDeps, symbol: string | null, state: State | null): Inhibitor | null {
  const { inhibited_by: by } = deps.ruleStore.grouping();
  if (by === null || symbol === null || symbol === by || (state ?? 0) === 0) return null;
  return typeof by === 'string'
    ? notifiedInhibitor(deps, highRiskOf(deps, by), { symbol: by })
    : notifiedInhibitor(deps, crossingOf(deps, by), {
        list: listNamed(deps, by)?.name ?? by.list,
        percent: by.percent,
      });
}

function highRiskOf({ ledger, world }: InhibitionDeps, symbol: string): EntryRow | null {
  // The clock of the service may be ahead of what is known of it.
  const newest = ledger.entries.signalBefore(symbol, Math.floor((world.now() + DAY_MS) / 1000));
  return newest?.to_state === 2 ? newest : null;
}

function crossingOf(deps: InhibitionDeps, share: ListShare): EntryRow | null {
  if (measured(deps, share) !== 'known') return null;
  const newest = deps.ledger.entries.newestBreadth({ ...share, state: 2 });
  return newest?.event === BREADTH_EVENT ? newest : null;
}

function notifiedInhibitor(
  { ledger }: InhibitionDeps,
  entry: EntryRow | null,
  what: Inhibitor['what'],
): Inhibitor | null {
  if (entry === null) return null;
  const id = ledger.notifications.dispatchOf(entry.ledger_id)?.notification_id;
  const found = id === undefined ? null : ledger.notifications.find(id);
  const isNotified = isOpenOutcome(found?.outcome) || found?.outcome === 'shown' || found?.outcome === 'in_app';
  if (id === undefined || found === null || !isNotified || found.revision >= MAX_JOINED) return null;
  const isAcknowledged = ledger.annotations.of(entry.ledger_id).ackedAt !== null;
  return { what, notificationId: isAcknowledged ? null : id };
}

const listNamed = ({ lists }: InhibitionDeps, { list }: ListShare): Watchlist | undefined =>
  lists().find(({ id }) => id === list);

function measured(
  deps: InhibitionDeps,
  share: ListShare,
): 'known' | 'gone' | { readonly known: number; readonly of: number } {
  const list = listNamed(deps, share);
  if (list === undefined) return 'gone';
  const rows = new Map(deps.rows().map((row) => [row.symbol, row]));
  const { known, of } = measureBreadth(symbolsOf(list), (symbol) => rows.get(symbol), 2);
  return isMeasured({ known, of }) ? 'known' : { known, of };
}

/** Why the share of a list holds back nothing although it may be High Risk; null: it is known, or none is asked for. */
export function unknownShare(deps: InhibitionDeps): Message | null {
  const { inhibited_by: by } = deps.ruleStore.grouping();
  if (by === null || typeof by === 'string') return null;
  const found = measured(deps, by);
  if (found === 'known') return null;
  if (found === 'gone') return message('inhibition.list_gone', { list: by.list });
  return message('inhibition.unknown', { list: listNamed(deps, by)?.name ?? by.list, ...found });
}

/** Why an alert is held back as by a mute; null: it is not. */
export function heldBackBy(inhibitor: Inhibitor | null): Message | null {
  if (inhibitor === null || inhibitor.notificationId !== null) return null;
  const { what } = inhibitor;
  return 'symbol' in what ? message('muted.inhibited', what) : message('muted.inhibited_by_share', what);
}

/** Why an alert is listed in the notification of another. */
export const listedWith = ({ what }: Inhibitor): Message =>
  'symbol' in what ? message('queued.inhibited', what) : message('queued.inhibited_by_share', what);
