// Renderer: the page Briefings: boxes | list | text | what stands beside it. Narrow windows fold the boxes into a drawer and lay the rest below the text.
import { useEffect, useRef, useState } from 'react';
import { usePlace } from '../../store/place.ts';
import { en } from '../../text/en.ts';
import { count } from '../../text/format.ts';
import { Boxes } from './boxes.tsx';
import './briefings.css';
import './paper.css';
import { List } from './list.tsx';
import { pageTurn, type TextStanding } from './page-turn.ts';
import { type PaneHandle, ReadingPane } from './reading-pane.tsx';
import { countOf } from './rows.ts';
import { useArchive } from './use-archive.ts';
import { useListed } from './use-listed.ts';
import { useReaderKeys } from './use-reader-keys.ts';
import { useView, view } from './view.ts';

const words = en.briefings;
/** Of a page, this much stays in view when it is turned. */
const KEPT = 0.1;

export function BriefingsPage() {
  const listed = useListed();
  const face = useArchive();
  const box = useView((now) => now.box);
  const side = useView((now) => now.side);
  const [drawer, setDrawer] = useState(false);
  const [said, setSaid] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const scroll = useRef<HTMLDivElement>(null);
  const pane = useRef<PaneHandle | null>(null);
  const standing = useRef<TextStanding>('none');
  useAskedItem();

  const nextUnread = (): void => setSaid(listed.openNextUnread() ? '' : words.noNext);
  useReaderKeys({
    step: listed.step,
    nextUnread,
    page(by) {
      const page = scroll.current;
      const turn = pageTurn(standing.current, page, by);
      if (turn === 'next') nextUnread();
      else if (turn === 'turn') page?.scrollBy({ top: by * page.clientHeight * (1 - KEPT) });
      else setSaid(turn === 'wait' ? words.textAwaited : words.textMissing);
    },
    search: () => search.current?.select(),
    find() {
      pane.current?.openFind();
      return pane.current !== null;
    },
    star: () => pane.current?.marks.toggleStar(),
    later: () => pane.current?.marks.toggleLater(),
    unread: () => pane.current?.marks.toggleUnread(),
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setDrawer(false);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const label = `${words.boxes[box]}${face === null ? '' : ` ${count(countOf(face, box))}`}`;
  return (
    <main className={`briefings side-${side}${drawer ? ' drawer-boxes' : ''}`}>
      <Boxes />
      <List
        listed={listed}
        search={search}
        boxes={{ label, open: drawer, onToggle: () => setDrawer(!drawer) }}
        onRead={() => scroll.current?.focus()}
      />
      <ReadingPane scroll={scroll} handle={pane} standing={standing} />
      <div className="spoken" role="status">
        {said}
      </div>
    </main>
  );
}

/** Opens what a link, a hit of the search or a notification leads to. */
function useAskedItem(): void {
  const visit = usePlace((place) => place.visit);
  const item = usePlace((place) => (place.page === 'briefings' ? place.item : null));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same item may be asked for again
  useEffect(() => {
    if (item === null) return;
    view.open(item, null);
    view.show('text');
  }, [item, visit]);
}
