// Renderer: the notice that a sandbox is silent, and how rarely it notifies beside production.

import { lasting } from '../../shared/text/format.ts';
import { texts } from '../../shared/text/texts.ts';
import { useApp, useSnapshot } from './store.ts';

/** Empty in production. */
export function useSandboxNotice(): string {
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const pause = useApp((state) => state.features.alerting?.sandbox_pause ?? null);
  if (environment !== 'sandbox') return '';
  return pause === null ? texts.alerts.acts.sandbox : texts.alerts.acts.sandboxPause(lasting(pause));
}
