// Renderer: A, S and W beside the chart: they act on the item that has the focus, else on what stands of the chosen symbol.
import { useEffect, useState } from 'react';
import { canAcknowledge, canSnooze } from '../../store/alert-outcome.ts';
import { openAlert } from '../../store/alert-routes.ts';
import { useSnapshot } from '../../store/store.ts';
import { isCommand } from '../../ui/keys.ts';
import type { InboxItem } from './groups.ts';
import { openSnoozeMenu } from './snoozing.ts';
import { useActs } from './use-acts.ts';
import { useInbox } from './use-inbox.ts';

/**
 * Ledger id of the item that the keys act on; null: there is none.
 * @param onMenu a key opens a menu of the inbox, which must be visible for that
 */
export function useInboxKeys(onMenu: () => void): number | null {
  const groups = useInbox();
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const acts = useActs();
  const [focused, setFocused] = useState<number | null>(null);
  const active = [...groups.needsYou, ...groups.takenCare, ...groups.suppressed, ...groups.elevated];
  const target =
    [...active, ...groups.past].find(({ alert }) => alert.ledger_id === focused) ??
    active.find(({ alert }) => alert.transition.symbol === selected) ??
    null;
  useEffect(() => {
    const onFocus = ({ target: on }: FocusEvent): void => {
      const id =
        on instanceof HTMLElement ? on.closest<HTMLElement>('.inbox [data-ledger]')?.dataset.ledger : undefined;
      setFocused(id === undefined ? null : Number(id));
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, []);
  useEffect(() => {
    let isAfterG = false;
    const onKey = (event: KeyboardEvent): void => {
      // G, then S, is the zone of all times.
      const isZone = isAfterG;
      isAfterG = event.key === 'g';
      if (target === null || isZone || event.shiftKey || !isCommand(event)) return;
      if (!act(event.key, target, acts.acknowledge)) return;
      event.preventDefault();
      if (event.key === 's') onMenu();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  return target?.alert.ledger_id ?? null;
}

function act(
  key: string,
  { alert, outcome, isActive }: InboxItem,
  acknowledge: (alerts: readonly InboxItem['alert'][]) => void,
): boolean {
  if (key === 'a' && canAcknowledge(outcome)) acknowledge([alert]);
  else if (key === 'w') openAlert(alert);
  else if (key === 's' && canSnooze(alert, isActive)) openSnoozeMenu(alert.ledger_id);
  else return false;
  return true;
}
