// Renderer: the page Briefings: boxes, list, text and side panel; narrow windows fold the boxes.
import { useEffect, useRef, useState } from 'react';
import { count } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useRoute } from '../../store/route.ts';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { Boxes } from './boxes.tsx';
import { List } from './list.tsx';
import { type PaneHandle, pageTurn, ReadingPane, type TextState } from './reading-pane.tsx';
import { countOf } from './rows.ts';
import { useArchive } from './use-archive.ts';
import { useBriefingRows } from './use-briefing-rows.ts';
import { useView, view } from './view.ts';
import './briefings.css';
import './document-page.css';

const messages = texts.briefings;
/** The share of a page that stays in view when it is turned. */
const OVERLAP = 0.1;
/** Controls that Space presses. The tab of this page is excluded, so that Space continues reading. */
const PRESSED_BY_SPACE = 'button:not([aria-current="page"]), a, summary, [role="slider"]';

export function BriefingsPage() {
  const listed = useBriefingRows();
  const archive = useArchive();
  const box = useView((now) => now.box);
  const side = useView((now) => now.side);
  const [drawer, setDrawer] = useState(false);
  const [said, setSaid] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const scroll = useRef<HTMLDivElement>(null);
  const pane = useRef<PaneHandle | null>(null);
  const textState = useRef<TextState>('none');
  useRouteItem();
  useNewest(listed.rows[0]?.id ?? null);

  const nextUnread = (): void => {
    setSaid('');
    listed.openNextUnread();
  };
  const turnPage = (event: KeyboardEvent, by: 1 | -1): unknown => {
    if (event.target instanceof Element && event.target.closest(PRESSED_BY_SPACE) !== null) return false;
    listed.readPreview();
    const page = scroll.current;
    const turn = pageTurn(textState.current, page, by);
    if (turn === 'next') return nextUnread();
    if (turn === 'turn') return page?.scrollBy({ top: by * page.clientHeight * (1 - OVERLAP) });
    return setSaid(turn === 'wait' ? messages.textPending : messages.textMissing);
  };
  useShortcuts('reading', {
    next: () => listed.step(1),
    previous: () => listed.step(-1),
    nextUnread,
    pageOn: (event) => turnPage(event, 1),
    pageBack: (event) => turnPage(event, -1),
    search: () => search.current?.select(),
    find: () => (pane.current === null ? false : pane.current.openFind()),
    star: () => pane.current?.flags.toggleStar(),
    later: () => pane.current?.flags.toggleLater(),
    unread: () => pane.current?.flags.toggleUnread(),
  });
  useShortcuts('everywhere', { close: () => (drawer ? setDrawer(false) : false) });

  const label = `${messages.boxes[box]}${archive === null ? '' : ` ${count(countOf(archive, box))}`}`;
  return (
    <main className={`briefings side-${side}${drawer ? ' drawer-boxes' : ''}`}>
      <Boxes />
      <List
        listed={listed}
        search={search}
        boxes={{ label, open: drawer, onToggle: () => setDrawer(!drawer) }}
        onRead={() => scroll.current?.focus()}
      />
      <ReadingPane scroll={scroll} handle={pane} textState={textState} />
      <div className="spoken" role="status">
        {said === '' && listed.isAllRead ? messages.noNext : said}
      </div>
    </main>
  );
}

/** Shows the newest briefing where none is open, so that no half of the page is empty. */
function useNewest(newest: string | null): void {
  const open = useView((now) => now.open);
  const item = useRoute((route) => route.item);
  useEffect(() => {
    if (newest !== null && open === null && item === null) view.preview(newest);
  }, [newest, open, item]);
}

/** Opens the target of a link, search result or notification. */
function useRouteItem(): void {
  const visit = useRoute((route) => route.visit);
  const item = useRoute((route) => (route.page === 'briefings' ? route.item : null));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same item may be requested again.
  useEffect(() => {
    if (item === null) return;
    view.open(item, null);
    view.show('text');
  }, [item, visit]);
}
