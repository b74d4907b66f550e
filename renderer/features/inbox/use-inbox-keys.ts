// Renderer: the keys A, S and W act on one item of the inbox, and Shift A on all of them.
// The item is the focused one, else the active one of the chosen symbol.
import { useEffect, useState } from 'react';
import { canAcknowledge, canSnooze } from '../../store/alert-outcome.ts';
import { openAlert } from '../../store/alert-routes.ts';
import { useSnapshot } from '../../store/store.ts';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { openSnoozeMenu } from './snoozing.ts';
import { useActs } from './use-acts.ts';
import { useInbox } from './use-inbox.ts';
import { useWaitingPrices } from './waiting-prices.ts';

/**
 * Returns the ledger id of the item that the keys act on, or null.
 * @param onMenu called before a key opens a menu of the inbox, which must be visible then
 */
export function useInboxKeys(onMenu: () => void): number | null {
  const groups = useInbox();
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const acts = useActs();
  const prices = useWaitingPrices();
  const [focused, setFocused] = useState<number | null>(null);
  const active = [...groups.needsYou, ...groups.takenCare, ...groups.suppressed, ...groups.elevated];
  const target =
    [...active, ...groups.past].find(({ alert }) => alert.ledger_id === focused) ??
    active.find(({ alert }) => alert.transition.symbol === selected) ??
    null;
  useEffect(() => {
    const onFocus = ({ target: on }: FocusEvent): void => {
      const id = on instanceof HTMLElement ? on.closest<HTMLElement>('.inbox [data-row]')?.dataset.row : undefined;
      setFocused(id === undefined ? null : Number(id));
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, []);
  useShortcuts('alerts', {
    acknowledge: () => target !== null && canAcknowledge(target.outcome) && acts.acknowledge([target.alert]),
    acknowledgeAll: () =>
      groups.needsYou.length + prices.length > 0 &&
      acts.acknowledge(
        groups.needsYou.map(({ alert }) => alert),
        prices,
      ),
    why: () => target !== null && openAlert(target.alert),
    snooze() {
      if (target === null || !canSnooze(target.alert, target.isActive)) return false;
      openSnoozeMenu(target.alert.ledger_id);
      return onMenu();
    },
  });
  return target?.alert.ledger_id ?? null;
}
