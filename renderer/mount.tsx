// Renderer: puts the window together over whatever link it is given: store, its one writer, its intents, and the tree of components.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { channels } from '../shared/channels/channels.ts';
import { createWindowEnd } from '../shared/channels/ends.ts';
import type { WindowLink } from '../shared/channels/link.ts';
import type { Clock } from '../shared/lib/clock.ts';
import { Frame, Waiting } from './features/shell/index.ts';
import { createAnswers } from './link/answers.ts';
import { connect } from './link/connect.ts';
import { createInboxReader } from './link/inbox.ts';
import { createIntents } from './link/intents.ts';
import { createReadings } from './link/readings.ts';
import { createTimelineReader } from './link/timelines.ts';
import { followWholes } from './link/wholes.ts';
import { openLayOutWorker } from './markdown/open-worker.ts';
import { createMarkdownReader } from './markdown/reader.ts';
import { createTicker, ServicesContext } from './services.ts';
import { createIngest, type Frames } from './store/ingest.ts';
import { goTo } from './store/place.ts';
import { preferences } from './store/preferences.ts';
import { createAppStore, StoreContext, useApp } from './store/store.ts';

/** How often ages and clocks move, ms. */
const TICK = 1000;

const pageFrames: Frames = {
  request: (job) => requestAnimationFrame(job),
  hidden: () => document.hidden,
  watch: (listener) => document.addEventListener('visibilitychange', listener),
};

/** What a link reports besides its traffic. */
export interface LinkReports {
  /** It is over for good; the message says what to do. */
  onEnded(message: string): void;
  /** Something unreadable was dropped. */
  onBad(problem: string): void;
}

export function mountApp(element: HTMLElement, openLink: (reports: LinkReports) => WindowLink, clock: Clock): void {
  const store = createAppStore();
  const ingest = createIngest(store, pageFrames);
  const onBad = (problem: string): void => ingest({ kind: 'problem', message: problem });
  const link = openLink({ onEnded: (message) => ingest({ kind: 'ended', message }), onBad });
  const end = createWindowEnd(channels, link, onBad);
  const services = {
    clock,
    ticker: createTicker(clock, TICK),
    ingest,
    intents: createIntents(end, ingest),
    timelines: createTimelineReader(end, ingest),
    readings: createReadings(end, ingest),
    inbox: createInboxReader(end, ingest, clock),
    answers: createAnswers(end, ingest),
    markdown: createMarkdownReader(clock, openLayOutWorker),
  };
  followWholes(end, ingest);
  end.subscribe('place.asked', goTo);
  connect({ window: end, ingest, clock, random: Math.random });
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

function App() {
  const loaded = useApp((state) => state.board !== null);
  return loaded ? <Frame /> : <Waiting />;
}

/** Sets the theme and the density that the user likes, now and whenever they, or the computer's own theme, change. */
export function followTheme(root: HTMLElement): void {
  const light = matchMedia('(prefers-color-scheme: light)');
  const follow = (): void => {
    const { themeChoice } = preferences.read();
    preferences.chooseTheme(themeChoice, light.matches ? 'light' : 'dark');
  };
  const set = (): void => {
    const { theme, density } = preferences.read();
    root.dataset.theme = theme;
    root.dataset.density = density;
  };
  follow();
  set();
  light.addEventListener('change', follow);
  preferences.watch(set);
}
