// Renderer: says that a sandbox is silent, and how rarely it notifies beside a production profile.
import { useApp, useSnapshot } from '../../store/store.ts';
import { alerts as messages } from '../../text/alerts.ts';
import { lasting } from '../../text/format.ts';

/** Empty in production. */
export function useSandboxNotice(): string {
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const pause = useApp((state) => state.features.alerting?.sandbox_pause ?? null);
  if (environment !== 'sandbox') return '';
  return pause === null ? messages.acts.sandbox : messages.acts.sandboxPause(lasting(pause));
}
