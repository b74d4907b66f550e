// Renderer: the window: environment frame, title bar, banner, page, status bar. The frame says at a glance whether the market is real.
import { useEffect, useState } from 'react';
import { isBlind } from '../../store/select.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { Toast } from '../alerts/index.ts';
import { Banner } from './banner.tsx';
import { PAGES } from './pages.ts';
import './shell.css';
import { Speaker } from './speaker.tsx';
import { StatusBar } from './status-bar.tsx';
import { TitleBar } from './title-bar.tsx';

export function Frame() {
  const environment = useBoard((board) => board.profile.environment);
  const [pageId, setPageId] = useState(PAGES[0].id);
  const page = PAGES.find(({ id }) => id === pageId) ?? PAGES[0];
  useDocumentTitle(page.label);
  return (
    <div className={`window env-${environment}`}>
      <div className="window-inside">
        <TitleBar page={page.id} onPage={setPageId} />
        <Banner />
        <page.Body />
        <StatusBar />
        <Toast />
        <Speaker />
      </div>
    </div>
  );
}

function useDocumentTitle(page: string): void {
  const sandbox = useBoard((board) => board.profile.environment === 'sandbox');
  const blind = useApp((state) => state.board !== null && isBlind(state.board, state.link));
  useEffect(() => {
    document.title = en.documentTitle(sandbox, blind, page);
  }, [sandbox, blind, page]);
}
