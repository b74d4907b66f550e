// Renderer, alerts: what other folders may import.
import { en } from '../../text/en.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export { ActNote } from './act-note.tsx';
export { Inbox } from './inbox.tsx';
export { InboxBar } from './inbox-bar.tsx';
export { openRules } from './open.ts';
export { Toast } from './toast.tsx';
export { useAlertBadge } from './use-badge.ts';
export const AlertsPage = lazyPage(en.pages.alerts, async () => (await import('./alerts-page.tsx')).AlertsPage);
