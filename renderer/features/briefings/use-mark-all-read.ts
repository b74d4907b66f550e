// Renderer, briefings: marks the unread briefings of a list as read, announces it and offers Undo.
import { useCallback } from 'react';
import { chunked } from '../../../shared/lib/chunked.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { ListInput } from '../../queries/policies.ts';
import { useServices } from '../../services.ts';
import { noteAct } from '../../store/act-note.ts';

/** The core's limit for one call. */
const MOST = 1000;

export function useMarkAllRead(): (query: ListInput<'briefings.list'>) => void {
  const { intents } = useServices();
  return useCallback(
    async (query) => {
      const done = await intents.ask('briefings.markAllRead', query);
      if (!done.ok) return noteAct(done.error);
      const { ids } = done.value;
      noteAct(texts.briefings.markedAllRead(ids.length), async () => {
        for (const some of chunked(ids, MOST)) {
          const undone = await intents.ask('briefings.flag', { ids: some, unread: true });
          if (!undone.ok) return noteAct(undone.error);
        }
        noteAct(texts.alerts.acts.done.undone);
      });
    },
    [intents],
  );
}
