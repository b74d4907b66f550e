// Renderer: the inbox as it stands, and the High Risk that only this window can tell.
import { useMemo } from 'react';
import type { Alert } from '../../../shared/channels/state.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { type InboxGroups, inboxGroups } from './groups.ts';
import type { Mute } from './outcome.ts';

const NO_MUTES: readonly Mute[] = [];

/** What keeps alerts quiet now. */
export const useMutes = (): readonly Mute[] => useApp((state) => state.wholes.alerting?.mutes ?? NO_MUTES);

export function useInbox(): InboxGroups {
  const alerts = useBoard((board) => board.alerts);
  const rows = useBoard((board) => board.rows);
  const mutes = useMutes();
  return useMemo(() => inboxGroups(alerts, rows, mutes), [alerts, rows, mutes]);
}

/** Alerts handed over to this window and not put away yet, newest first. */
export function useToasts(): readonly Alert[] {
  const alerts = useBoard((board) => board.alerts);
  const dismissed = usePreference((preference) => preference.dismissed);
  return useMemo(
    () =>
      alerts.filter(
        ({ handover, acked_at: acked }) =>
          acked === null && handover?.outcome === 'in_app' && !dismissed.includes(handover.notification_id),
      ),
    [alerts, dismissed],
  );
}
