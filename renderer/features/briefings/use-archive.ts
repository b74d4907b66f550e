// Renderer: the current state of the archive, as the core pushes it.
import type { ArchiveView } from '../../../shared/channels/archive.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useApp } from '../../store/store.ts';

export const useArchive = (): ArchiveView | null => useApp((state) => state.features.archive);

export function useBriefingsBadge(): { readonly count: number; readonly hot: boolean; readonly label: string } | null {
  const unread = useApp((state) => state.features.archive?.briefings.unread ?? 0);
  return unread === 0 ? null : { count: unread, hot: false, label: texts.common.unread(unread) };
}
