// Renderer: builds what the components need, over any link: store, ingest, intents and queries.
import type { Channels } from '../shared/channels/channels.ts';
import { createWindowEnd } from '../shared/channels/ends.ts';
import type { WindowLink } from '../shared/channels/link.ts';
import type { Clock } from '../shared/lib/clock.ts';
import type { Message } from '../shared/text/message.ts';
import { texts } from '../shared/text/texts.ts';
import { connect } from './link/connect.ts';
import { followFeatures } from './link/feature-states.ts';
import { createIntents } from './link/intents.ts';
import { lateChannels } from './link/late-channels.ts';
import { type BrowserNotifications, isInFront } from './notifications/browser-notifications.ts';
import { followOffers } from './notifications/follow-offers.ts';
import { inOneWindow } from './one-window.ts';
import { createChannelQueries } from './queries/channel-queries.ts';
import { createTicker, type Services } from './services.ts';
import { createSoundOutput, followSounds } from './sounds/window-sounds.ts';
import { createIngest, type Frames } from './store/ingest.ts';
import { goTo } from './store/route.ts';
import { type AppStore, createAppStore } from './store/store.ts';

/** How often ages and clocks move, ms. */
const TICK = 1000;

/** With zod the schemas are a quarter of the code that the first drawing would wait for. */
const loadChannels = async () => (await import('../shared/channels/channels.ts')).channels;
/** What the first drawing needs. */
const FIRST = ['state.snapshot', 'state.changed', 'route.requested'] as const;

const pageFrames: Frames = {
  request: (job) => requestAnimationFrame(job),
  hidden: () => document.hidden,
  after: (ms, job) => setTimeout(job, ms),
  watch: (listener) => document.addEventListener('visibilitychange', listener),
};

/** Status of a link besides its traffic. */
export interface LinkReports {
  /** It has ended for good; the message says what to do. */
  onEnded(message: Message): void;
  /** An unreadable message was dropped. */
  onBad(problem: string): void;
}

export interface OpenedWindow {
  readonly store: AppStore;
  readonly services: Services;
}

/** The store follows the core from this call on, before anything is drawn. */
export function openWindow(
  openLink: (reports: LinkReports) => WindowLink,
  clock: Clock,
  browserNotifications: BrowserNotifications | null = null,
): OpenedWindow {
  const store = createAppStore();
  const ingest = createIngest(store, pageFrames);
  const onBad = (problem: string): void => ingest({ kind: 'problem', message: problem });
  const link = openLink({ onEnded: (message) => ingest({ kind: 'ended', message }), onBad });
  const onFailed = (): void => onBad(texts.common.lazy.dialogFailed(texts.common.lazy.schemas));
  const end = createWindowEnd<Channels>(lateChannels(loadChannels, FIRST, onFailed), link, onBad);
  let follows = false;
  const services = {
    clock,
    ticker: createTicker(clock, TICK, pageFrames),
    ingest,
    browserNotifications,
    intents: createIntents(end, ingest),
    queries: createChannelQueries(end, store, clock),
    followFeatures() {
      if (!follows) followFeatures(end, ingest);
      follows = true;
    },
  };
  // The first drawing needs the snapshot, so request it before anything else.
  connect({ window: end, ingest, clock, random: Math.random });
  end.subscribe('route.requested', goTo);
  followSounds(end, createSoundOutput());
  if (browserNotifications !== null)
    followOffers({
      store,
      window: end,
      browser: browserNotifications,
      clock,
      isInFront,
      inOneWindow,
    });
  return { store, services };
}
