// Renderer, pure: the groups of the inbox: needs you, taken care of, held back, over.
import type { Alert, PriceAlert, Row } from '../../../shared/channels/state.ts';
import type { RiskOrder } from '../../../shared/domain/risk-order.ts';
import { groupOf, type Mute, type Outcome, outcomeOf } from '../../store/alert-outcome.ts';

export interface InboxItem {
  readonly alert: Alert;
  readonly outcome: Outcome;
  /** The symbol is still in this state. */
  readonly isActive: boolean;
  /** When the symbol left this state, ISO; null while it is still in it. */
  readonly until: string | null;
  /** Duration of the state before, ms; null when its beginning is not listed. */
  readonly before: number | null;
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
  const open = new Map<string, number>();
  for (const alert of alerts) {
    if (!alert.watched) continue;
    const { symbol, occurred_at: at, to_state: state } = alert.transition;
    const waiting = open.get(symbol);
    const item = waiting === undefined ? undefined : items[waiting];
    // A symbol may have changed in between: old alerts are held only while they need the user.
    const isNext = alert.over_since === undefined || alert.over_since === item?.alert.transition.occurred_at;
    if (waiting !== undefined && item !== undefined && isNext) {
      items[waiting] = { ...item, before: Date.parse(item.alert.transition.occurred_at) - Date.parse(at) };
    }
    open.set(symbol, items.length);
    const until = alert.over_since ?? later.get(symbol)?.transition.occurred_at ?? null;
    const signal = rows[symbol]?.signal ?? null;
    const isActive = until === null && (signal === null || signal.state === state);
    items.push({ alert, outcome: outcomeOf(alert, isActive, mutes), isActive, until, before: null });
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
  for (const group of [groups.needsYou, groups.takenCare, groups.suppressed]) group.sort(worstFirst(order));
  return groups;
}

/** The price alerts that need the user, in the order given. */
export const waitingPrices = (alerts: readonly PriceAlert[]): PriceAlert[] =>
  alerts.filter((alert) => alert.needs_attention);

/** Orders by state, then active ones first, then by risk. */
const worstFirst =
  ({ compare }: RiskOrder) =>
  (a: InboxItem, b: InboxItem): number =>
    b.alert.transition.to_state - a.alert.transition.to_state ||
    Number(b.isActive) - Number(a.isActive) ||
    compare(a.alert.transition, b.alert.transition);

/** The items of one notification, or one item. */
export interface NotificationGroup {
  /** null: one item. */
  readonly id: string | null;
  readonly items: readonly InboxItem[];
}

/** Groups the items by the notification that named them. A group has the position of its first item. */
export function byNotification(items: readonly InboxItem[]): readonly NotificationGroup[] {
  const found = new Map<string, InboxItem[]>();
  for (const item of items) {
    const id = item.alert.dispatch?.notification_id ?? `alone ${item.alert.ledger_id}`;
    const group = found.get(id);
    if (group === undefined) found.set(id, [item]);
    else group.push(item);
  }
  return [...found].map(([id, group]) => ({ id: group.length === 1 ? null : id, items: group }));
}

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
  a.isActive === b.isActive &&
  a.until === b.until &&
  a.before === b.before &&
  JSON.stringify(a.outcome) === JSON.stringify(b.outcome);

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
