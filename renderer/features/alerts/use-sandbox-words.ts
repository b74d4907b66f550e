// Renderer: that a sandbox is silent, and how seldom it tells beside a production profile; said where somebody would wonder.
import { useApp, useBoard } from '../../store/store.ts';
import { alerts as words } from '../../text/alerts.ts';
import { lasting } from '../../text/format.ts';

/** Empty in production. */
export function useSandboxWords(): string {
  const environment = useBoard((board) => board.profile.environment);
  const pause = useApp((state) => state.wholes.alerting?.sandbox_pause ?? null);
  if (environment !== 'sandbox') return '';
  return pause === null ? words.acts.sandbox : words.acts.sandboxPause(lasting(pause));
}
