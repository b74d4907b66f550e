// Renderer, pure: what the inbox says: which transitions need the user, which are over.
import type { Alert, Row } from '../../../shared/channels/state.ts';

export interface InboxItem {
  readonly alert: Alert;
  /** When the symbol left this state, ISO; null while it is still in it. */
  readonly until: string | null;
  /** How long the state that it came from had lasted, ms; null when its beginning is not in the list. */
  readonly before: number | null;
}

export interface InboxGroups {
  /** Still High Risk, and watched. */
  readonly needsYou: readonly InboxItem[];
  /** Still Elevated. */
  readonly elevated: readonly InboxItem[];
  /** All the rest, newest first. */
  readonly past: readonly InboxItem[];
}

/** @param alerts newest first; of watched symbols those that are shown */
export function inboxGroups(alerts: readonly Alert[], rows: Readonly<Record<string, Row>>): InboxGroups {
  const later = new Map<string, Alert>();
  const items: InboxItem[] = [];
  const open = new Map<string, number>();
  for (const alert of alerts) {
    if (!alert.watched) continue;
    const { symbol, occurred_at: at } = alert.transition;
    const waiting = open.get(symbol);
    const item = waiting === undefined ? undefined : items[waiting];
    if (waiting !== undefined && item !== undefined) {
      items[waiting] = { ...item, before: Date.parse(item.alert.transition.occurred_at) - Date.parse(at) };
    }
    open.set(symbol, items.length);
    items.push({ alert, until: later.get(symbol)?.transition.occurred_at ?? null, before: null });
    later.set(symbol, alert);
  }
  const isNow = ({ alert, until }: InboxItem): boolean => {
    const signal = rows[alert.transition.symbol]?.signal ?? null;
    return until === null && (signal === null || signal.state === alert.transition.to_state);
  };
  const needsYou = items.filter((item) => isNow(item) && item.alert.transition.to_state === 2);
  const elevated = items.filter((item) => isNow(item) && item.alert.transition.to_state === 1);
  return { needsYou, elevated, past: items.filter((item) => !needsYou.includes(item) && !elevated.includes(item)) };
}
