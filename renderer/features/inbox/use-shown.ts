// Renderer: reports to the core which alerts this window showed, because the desktop has not taken them.
import { useEffect, useRef } from 'react';
import { useServices } from '../../services.ts';
import type { Toasts } from './toasts.ts';

/** Reports each alert of the toast once. A window that nobody can see has shown nothing. */
export function useShown({ active, over }: Toasts): void {
  const { intents } = useServices();
  const reported = useRef(new Set<string>());
  useEffect(() => {
    const open = [...active, ...over].flatMap(({ dispatch }) =>
      dispatch?.outcome === 'failed' ? [dispatch.notification_id] : [],
    );
    const report = (): void => {
      if (document.visibilityState !== 'visible') return;
      for (const id of open) {
        if (reported.current.has(id)) continue;
        reported.current.add(id);
        void intents.ask('alerts.shown', { notification_id: id }).then(({ ok }) => {
          if (!ok) reported.current.delete(id);
        });
      }
    };
    report();
    document.addEventListener('visibilitychange', report);
    return () => document.removeEventListener('visibilitychange', report);
  }, [active, over, intents]);
}
