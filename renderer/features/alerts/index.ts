// Renderer, alerts: the front door.

export { Inbox } from './inbox.tsx';
export { InboxBar } from './inbox-bar.tsx';
export { Toast } from './toast.tsx';
