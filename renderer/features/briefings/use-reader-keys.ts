// Renderer: the keys of the reader, from anywhere on its page.
import { useEffect, useRef } from 'react';
import { isCommand } from '../../ui/keys.ts';

export interface ReaderKeys {
  readonly step: (by: 1 | -1) => void;
  readonly nextUnread: () => void;
  /** A page on or back; at the end of the text, the next unread. */
  readonly page: (by: 1 | -1) => void;
  readonly search: () => void;
  /** @returns false where there is nothing to find in */
  readonly find: () => boolean;
  readonly star: () => void;
  readonly later: () => void;
  readonly unread: () => void;
}

/** What takes Space for itself. The tab of this very page has nothing to do with it: whoever came by it reads on. */
const PRESSED_BY_SPACE = 'button:not([aria-current="page"]), a, summary, [role="slider"]';

export function useReaderKeys(keys: ReaderKeys): void {
  const now = useRef(keys);
  useEffect(() => {
    now.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { current } = now;
      if (event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        if (current.find()) event.preventDefault();
        return;
      }
      if (!isCommand(event) || event.defaultPrevented) return;
      if (event.key === ' ' && event.target instanceof Element && event.target.closest(PRESSED_BY_SPACE) !== null)
        return;
      const commands: Readonly<Record<string, () => void>> = {
        j: () => current.step(1),
        k: () => current.step(-1),
        n: current.nextUnread,
        f: current.star,
        l: current.later,
        m: current.unread,
        '/': current.search,
        ' ': () => current.page(event.shiftKey ? -1 : 1),
      };
      const command = commands[event.key];
      if (command === undefined) return;
      event.preventDefault();
      command();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
