// Renderer: what the user does to the briefing that is open: read, star, later.
import { useMemo } from 'react';
import type { BriefingReading } from '../../../shared/channels/archive.ts';
import { useServices } from '../../services.ts';

export interface Marks {
  readonly toggleUnread: () => void;
  readonly toggleStar: () => void;
  readonly toggleLater: () => void;
}

export function useMarks(reading: BriefingReading | null): Marks {
  const { intents } = useServices();
  return useMemo(() => {
    const mark =
      (change: (now: BriefingReading) => { unread?: boolean; starred?: boolean; later?: boolean }) => (): void => {
        if (reading !== null) intents.tell('briefings.mark', { ids: [reading.id], ...change(reading) });
      };
    return {
      toggleUnread: mark(({ unread }) => ({ unread: !unread })),
      toggleStar: mark(({ starred }) => ({ starred: !starred })),
      toggleLater: mark(({ later }) => ({ later: !later })),
    };
  }, [intents, reading]);
}
