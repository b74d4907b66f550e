// Renderer, inbox: exports to other folders.
export { ActNote } from './act-note.tsx';
export { Inbox } from './inbox.tsx';
export { InboxBar } from './inbox-bar.tsx';
export { SnoozeMenu } from './snooze-menu.tsx';
export { openSnoozeMenu } from './snoozing.ts';
export { Toast } from './toast.tsx';
export { namesOf, symbolsOf, useActs } from './use-acts.ts';
export { useAcknowledgePrices, useAlertBadge, useInbox, useMutes, useWaitingPrices } from './use-inbox.ts';
export { useOutcomeLabel } from './use-outcome-label.ts';
