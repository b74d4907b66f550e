// Renderer: keys that work on every page: the palette, the sheet of keys, the pages, and the zone of all times (G, then S, P or U).
import { useEffect, useRef } from 'react';
import { preferences } from '../../store/preferences.ts';
import type { Zone } from '../../text/format.ts';
import { isCommand } from '../../ui/keys.ts';

const ZONE_KEYS: Readonly<Record<string, Zone>> = { s: 'market', p: 'local', u: 'utc' };

interface ShellKeys {
  readonly onSheet: () => void;
  /** @param place from 0 */
  readonly onPage: (index: number) => void;
  readonly onFind: () => void;
}

export function useShellKeys({ onSheet, onPage, onFind }: ShellKeys): void {
  const afterG = useRef(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        // A browser has a search of its own on this key.
        event.preventDefault();
        if (document.querySelector('dialog[open]') === null) onFind();
        return;
      }
      if (!isCommand(event)) return;
      const zone = afterG.current ? ZONE_KEYS[event.key.toLowerCase()] : undefined;
      afterG.current = event.key === 'g';
      if (zone !== undefined) preferences.setZone(zone);
      else if (event.key === '?') onSheet();
      else if (/^[1-9]$/.test(event.key)) onPage(Number(event.key) - 1);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onSheet, onPage, onFind]);
}
