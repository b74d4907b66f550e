// Renderer: the window: environment frame, title bar, banner, page, status bar. The frame says at a glance whether the market is real.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { PageId } from '../../../shared/domain/places.ts';
import { laterParts, quietMoment } from '../../parts-later.ts';
import { useServices } from '../../services.ts';
import { goTo, usePlace } from '../../store/place.ts';
import { isBlind } from '../../store/select.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { laterDialog } from '../../ui/later.tsx';
import { useFirstPaint } from '../../ui/use-first-paint.ts';
import { Toast } from '../alerts/index.ts';
import { Palette } from '../palette/index.ts';
import { ProfileDialogs } from '../profiles/index.ts';
import { Banner } from './banner.tsx';
import { PAGES } from './pages.ts';
import './shell.css';
import { Speaker } from './speaker.tsx';
import { StatusBar } from './status-bar.tsx';
import { TitleBar } from './title-bar.tsx';
import { useShellKeys } from './use-shell-keys.ts';

const KeySheet = laterDialog(en.keys.heading, async () => (await import('./key-sheet.tsx')).KeySheet);

export function Frame() {
  const environment = useBoard((board) => board.profile.environment);
  const pageId = usePlace((place) => place.page);
  const page = PAGES.find(({ id }) => id === pageId) ?? PAGES[0];
  const [sheet, setSheet] = useState(false);
  const [finding, setFinding] = useState(false);
  /** What had the focus before the palette took it. */
  const before = useRef<HTMLElement | null>(null);
  const find = useCallback(() => {
    before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    setFinding(true);
  }, []);
  const found = useCallback(() => setFinding(false), []);
  const keysButton = useRef<HTMLButtonElement>(null);
  const openSheet = useCallback(() => setSheet(true), []);
  const closeSheet = useCallback(() => setSheet(false), []);
  const turnTo = useCallback((place: number) => {
    const asked = PAGES[place];
    if (asked !== undefined) goTo({ page: asked.id, item: null });
  }, []);
  useShellKeys({ onSheet: openSheet, onPage: turnTo, onFind: find });
  useDocumentTitle(page.label);
  const body = useFocusKept(page.id);
  const { followWholes } = useServices();
  const isShown = useFirstPaint();
  useEffect(() => {
    if (isShown) followWholes();
  }, [isShown, followWholes]);
  // So that every page is there at the first click, also where the core is gone by then.
  useEffect(() => void laterParts.loadAll(quietMoment), []);
  return (
    <div className={`window env-${environment}`}>
      <div className="window-inside">
        <TitleBar page={page.id} onFind={find} onKeys={openSheet} keysButton={keysButton} />
        <Banner onMarks={openSheet} />
        <div className="page-body" tabIndex={-1} ref={body}>
          <page.Body />
        </div>
        <Toast />
        <StatusBar />
        <Speaker />
        {finding && <Palette pages={PAGES} returnTo={before} onKeys={openSheet} onClose={found} />}
        <ProfileDialogs />
        {sheet && <KeySheet returnTo={keysButton} onClose={closeSheet} />}
      </div>
    </div>
  );
}

/** What led to another page is gone with the page that it stood on: the new one takes the focus. */
function useFocusKept(page: PageId): RefObject<HTMLDivElement | null> {
  const shown = useRef(page);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (shown.current !== page && isLost) body.current?.focus({ preventScroll: true });
    shown.current = page;
  }, [page]);
  return body;
}

function useDocumentTitle(page: string): void {
  const sandbox = useBoard((board) => board.profile.environment === 'sandbox');
  const blind = useApp((state) => state.board !== null && isBlind(state.board, state.link));
  useEffect(() => {
    document.title = en.documentTitle(sandbox, blind, page);
  }, [sandbox, blind, page]);
}
