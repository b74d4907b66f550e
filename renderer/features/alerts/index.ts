// Renderer, alerts: the front door.

export { ActNote } from './act-note.tsx';
export { AlertsPage } from './alerts-page.tsx';
export { Inbox } from './inbox.tsx';
export { InboxBar } from './inbox-bar.tsx';
export { openRules } from './open.ts';
export { Toast } from './toast.tsx';
export { useAlertBadge } from './use-badge.ts';
