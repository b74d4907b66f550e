// Renderer: flags of the open briefing: read, star, later.
import { useMemo } from 'react';
import type { BriefingDetail } from '../../../shared/channels/archive.ts';
import { useServices } from '../../services.ts';

export interface BriefingFlags {
  readonly toggleUnread: () => void;
  readonly toggleStar: () => void;
  readonly toggleLater: () => void;
}

export function useFlags(briefing: BriefingDetail | null): BriefingFlags {
  const { intents } = useServices();
  return useMemo(() => {
    const update =
      (change: (now: BriefingDetail) => { unread?: boolean; starred?: boolean; later?: boolean }) => (): void => {
        if (briefing !== null) intents.send('briefings.flag', { ids: [briefing.id], ...change(briefing) });
      };
    return {
      toggleUnread: update(({ unread }) => ({ unread: !unread })),
      toggleStar: update(({ starred }) => ({ starred: !starred })),
      toggleLater: update(({ later }) => ({ later: !later })),
    };
  }, [intents, briefing]);
}
