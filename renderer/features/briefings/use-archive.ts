// Renderer: how the archive stands, as the core pushes it.
import type { ArchiveFace } from '../../../shared/channels/archive.ts';
import { useApp } from '../../store/store.ts';
import { en } from '../../text/en.ts';

export const useArchive = (): ArchiveFace | null => useApp((state) => state.wholes.archive);

/** Changes whenever what was read of the archive may have become something else. */
export function useArchiveTurn(): string {
  const version = useApp((state) => state.wholes.archive?.version ?? 0);
  const epoch = useApp((state) => state.board?.epoch ?? 0);
  return `${epoch} ${version}`;
}

export function useBriefingsBadge(): { readonly count: number; readonly hot: boolean; readonly label: string } | null {
  const unread = useApp((state) => state.wholes.archive?.briefings.unread ?? 0);
  return unread === 0 ? null : { count: unread, hot: false, label: en.briefings.badge(unread) };
}
