// Renderer, pure: the groups of the inbox: needs you, taken care of, held back, over.
import type { Alert, LocalAlert, Row } from '../../../shared/channels/state.ts';
import type { RiskOrder } from '../../../shared/domain/risk-order.ts';
import { groupOf, type Mute, type Outcome, outcomeOf } from '../../store/alert-outcome.ts';

/**
 * open: needs the user. now: active. done: acknowledged, snoozed or suppressed. past: over. was: unknown in
 * an outage.
 */
export type Tone = 'open' | 'now' | 'done' | 'past' | 'was';

/** In a set of toggled groups: all items of the group are listed. */
export const wholeOf = (group: string): string => `${group} all`;

export interface InboxItem {
  readonly alert: Alert;
  readonly outcome: Outcome;
  /** The symbol is still in this state. */
  readonly isActive: boolean;
  /** When the symbol left this state, ISO; null while it is still in it. */
  readonly until: string | null;
}

export interface InboxGroups {
  /** Active or notified High Risk that nobody has acknowledged or snoozed, as the core decided. */
  readonly needsYou: readonly InboxItem[];
  /** Active, acknowledged or snoozed; worst first, as in all groups of active alerts. */
  readonly takenCare: readonly InboxItem[];
  /** Active, matched by a rule, and suppressed. */
  readonly suppressed: readonly InboxItem[];
  /** Still Elevated; no rule matches. */
  readonly elevated: readonly InboxItem[];
  /** The rest, newest first. */
  readonly past: readonly InboxItem[];
}

/** @param alerts newest first; only shown ones of watched symbols */
export function inboxGroups(
  alerts: readonly Alert[],
  rows: Readonly<Record<string, Row>>,
  mutes: readonly Mute[],
  order: RiskOrder,
): InboxGroups {
  const later = new Map<string, Alert>();
  const items: InboxItem[] = [];
  for (const alert of alerts) {
    if (!alert.watched) continue;
    const { symbol, to_state: state } = alert.transition;
    const until = alert.over_since ?? later.get(symbol)?.transition.occurred_at ?? null;
    const signal = rows[symbol]?.signal ?? null;
    const isActive = until === null && (signal === null || signal.state === state);
    items.push({ alert, outcome: outcomeOf(alert, isActive, mutes), isActive, until });
    later.set(symbol, alert);
  }
  const groups: Record<keyof InboxGroups, InboxItem[]> = {
    needsYou: [],
    takenCare: [],
    suppressed: [],
    elevated: [],
    past: [],
  };
  for (const item of items) groups[groupKeyOf(item)].push(item);
  for (const group of [groups.needsYou, groups.takenCare, groups.suppressed, groups.elevated])
    group.sort(worstFirst(order));
  return groups;
}

/** The price alerts that need the user, in the order given. */
export const waitingLocal = (alerts: readonly LocalAlert[]): LocalAlert[] =>
  alerts.filter((alert) => alert.needs_attention);

/** Orders by state, then active ones first, then by risk. */
const worstFirst =
  ({ compare }: RiskOrder) =>
  (a: InboxItem, b: InboxItem): number =>
    b.alert.transition.to_state - a.alert.transition.to_state ||
    Number(b.isActive) - Number(a.isActive) ||
    compare(a.alert.transition, b.alert.transition);

/**
 * The ended alerts since `from`, ms, that say something: of High Risk, notified, or withdrawn. What was over
 * before one began to watch says nothing.
 */
export const endedAlerts = (past: readonly InboxItem[], from: number): InboxItem[] =>
  past.filter(({ alert: { transition, notification_status: status, decision } }) => {
    const { to_state: state, in_question: question, occurred_at: at } = transition;
    const says = state === 2 || (state === 1 && status === 'notified') || question === 'withdrawn';
    return says && decision?.startsWith('before_baseline') !== true && Date.parse(at) >= from;
  });

/**
 * Returns `after` with every part that equals one of `before` replaced by the old object, so that unchanged
 * parts are not drawn again.
 */
export function keepEqual(before: InboxGroups, after: InboxGroups): InboxGroups {
  const known = new Map(GROUPS.flatMap((group) => before[group].map((item) => [item.alert, item] as const)));
  const reused = GROUPS.map((group): [keyof InboxGroups, readonly InboxItem[]] => {
    const items = after[group].map((item) => {
      const equal = known.get(item.alert);
      return equal !== undefined && isEqual(equal, item) ? equal : item;
    });
    const old = before[group];
    return [group, old.length === items.length && old.every((item, index) => item === items[index]) ? old : items];
  });
  return reused.every(([group, items]) => items === before[group])
    ? before
    : (Object.fromEntries(reused) as unknown as InboxGroups);
}

const GROUPS = [
  'needsYou',
  'takenCare',
  'suppressed',
  'elevated',
  'past',
] as const satisfies readonly (keyof InboxGroups)[];

const isEqual = (a: InboxItem, b: InboxItem): boolean =>
  a.isActive === b.isActive && a.until === b.until && JSON.stringify(a.outcome) === JSON.stringify(b.outcome);

function groupKeyOf({ isActive, outcome, alert }: InboxItem): keyof InboxGroups {
  if (outcome.kind === 'needs_you') return 'needsYou';
  if (!isActive || alert.transition.to_state === 0) return 'past';
  switch (groupOf(outcome)) {
    case 'taken_care':
      return 'takenCare';
    case 'suppressed':
      return 'suppressed';
    default:
      return alert.transition.to_state === 1 ? 'elevated' : 'past';
  }
}
