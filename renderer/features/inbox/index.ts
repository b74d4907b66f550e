// Renderer, inbox: exports to other folders.
import { createElement } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { lazyPanel } from '../../ui/lazy.tsx';
import type { InboxProps } from './inbox.tsx';

export { ActNote } from './act-note.tsx';
export { BreadthText } from './breadth-text.tsx';
export { ForeignMark, ForeignText } from './foreign-text.tsx';
export { InboxBar } from './inbox-bar.tsx';
export { SnoozeMenu } from './snooze-menu.tsx';
export { openSnoozeMenu } from './snoozing.ts';
export { Toast } from './toast.tsx';
export { namesOf, symbolsOf, useActs } from './use-acts.ts';
export { useCopyPicture } from './use-copy-picture.ts';
export { useAcknowledgeLocal, useAlertBadge, useInbox, useMutes, useWaitingLocal } from './use-inbox.ts';
export { useOutcomeLabel } from './use-outcome-label.ts';
/** It follows the list: an empty panel until then. */
export const Inbox = lazyPanel<InboxProps>(
  texts.inbox.heading,
  async () => (await import('./inbox.tsx')).Inbox,
  () => createElement('section', { className: 'panel inbox' }),
);
