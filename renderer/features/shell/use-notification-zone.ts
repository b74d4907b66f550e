// Renderer, shell: reports the zone of this window's times to the core, for use in notifications.
import { useEffect, useRef } from 'react';
import { DEFAULT_ZONE } from '../../../shared/text/format.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';

/**
 * Reports each choice. A window that opens reports only if no zone was reported yet: another window may have
 * chosen since.
 */
export function useNotificationZone(): void {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const isUnreported = useApp(({ features }) => features.alerting !== null && features.alerting.zone === null);
  const before = useRef(zone);
  useEffect(() => {
    const isChosen = before.current !== zone;
    before.current = zone;
    if (isChosen || (isUnreported && zone !== DEFAULT_ZONE)) intents.send('notificationZone.save', { zone });
  }, [zone, isUnreported, intents]);
}
