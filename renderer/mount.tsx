// Renderer: mounts the tree of components.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Frame, NoSessionNotice, Waiting } from './features/shell/index.ts';
import type { SessionFailure } from './link/session.ts';
import type { OpenedWindow } from './open-window.ts';
import { ServicesContext } from './services.ts';
import { StoreContext, useApp } from './store/store.ts';

export function mountApp(element: HTMLElement, { store, services }: OpenedWindow): void {
  createRoot(element).render(
    <StrictMode>
      <StoreContext value={store}>
        <ServicesContext value={services}>
          <App />
        </ServicesContext>
      </StoreContext>
    </StrictMode>,
  );
}

export function mountNoSession(element: HTMLElement, reason: SessionFailure): void {
  createRoot(element).render(<NoSessionNotice reason={reason} />);
}

function App() {
  const loaded = useApp((state) => state.snapshot !== null);
  return loaded ? <Frame /> : <Waiting />;
}
