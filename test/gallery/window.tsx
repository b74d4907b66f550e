// Gallery: a window of the product over a core in memory that answers with fixtures.
import { type ReactNode, useState } from 'react';
import { openWindow } from '../../renderer/open-window.ts';
import { ServicesContext } from '../../renderer/services.ts';
import { StoreContext, useApp } from '../../renderer/store/store.ts';
import { refused } from '../../shared/channels/channel.ts';
import { type Channels, channels } from '../../shared/channels/channels.ts';
import { createDispatch, type Handlers } from '../../shared/channels/ends.ts';
import { createMemoryLink } from '../../shared/channels/memory-link.ts';
import type { Snapshot } from '../../shared/channels/state.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { alerting, archive, profiles, shellView } from '../fixtures/feature-fixtures.ts';
import { snapshot as emptySnapshot, T0 } from '../fixtures/window-fixtures.ts';

export interface WindowProps {
  readonly snapshot?: Snapshot | undefined;
  readonly handlers?: Partial<Handlers<Channels>> | undefined;
  readonly children: ReactNode;
}

/** The fixtures' time, which goes on from there. */
const start = Date.now();
const clock = createClock({
  now: () => T0 + Date.now() - start,
  setTimeout: (job, ms) => window.setTimeout(job, ms),
  clearTimeout: (handle) => window.clearTimeout(handle),
});

const ANSWERS: Partial<Handlers<Channels>> = {
  'alerting.read': () => alerting(),
  'archive.read': () => archive(),
  'profiles.read': () => profiles(),
  'shell.read': () => shellView(),
};

/** What a scene does not answer is refused, as by a core that cannot. */
function open(snapshot: Snapshot, handlers: Partial<Handlers<Channels>>) {
  const refuse = () => {
    throw refused(plainMessage('The gallery has no answer to this.'));
  };
  const all = Object.fromEntries(Object.keys(channels).map((name) => [name, refuse])) as unknown as Handlers<Channels>;
  const dispatch = createDispatch(
    channels,
    { ...all, ...ANSWERS, 'state.snapshot': () => snapshot, ...handlers },
    () => undefined,
  );
  const opened = openWindow(() => createMemoryLink(dispatch).window, clock);
  opened.services.followFeatures();
  return opened;
}

export function Window({ snapshot = emptySnapshot(), handlers = {}, children }: WindowProps) {
  const [{ store, services }] = useState(() => open(snapshot, handlers));
  return (
    <StoreContext value={store}>
      <ServicesContext value={services}>
        <OnceLoaded>{children}</OnceLoaded>
      </ServicesContext>
    </StoreContext>
  );
}

const OnceLoaded = ({ children }: { readonly children: ReactNode }) =>
  useApp((state) => state.snapshot !== null) ? children : null;
