// Test harness: renders a component in a window in memory, for tests of its behaviour.
import { act } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { refused } from '../../shared/channels/channel.ts';
import { type Channels, channels } from '../../shared/channels/channels.ts';
import type { Handlers } from '../../shared/channels/ends.ts';
import { type Message, plainMessage } from '../../shared/text/message.ts';
import { settle } from './manual-clock.ts';
import { createWindowRig } from './window-rig.tsx';

export type CoreHandlers = Partial<Handlers<Channels>>;

/** The refusal of a core. */
export const refuse = (text: string): never => refuseWith(plainMessage(text));
export function refuseWith(message: Message): never {
  throw refused(message);
}

/** Renders `element` once the window has its snapshot and the states of its features. */
export async function renderInWindow(element: ReactElement, handlers: CoreHandlers = {}) {
  const calls: { readonly name: string; readonly input: unknown }[] = [];
  const recorded = Object.entries(handlers).map(([name, handler]) => {
    if (channels[name as keyof Channels].kind !== 'intent') return [name, handler];
    const record = (input: never) => {
      calls.push({ name, input });
      return (handler as (input: never) => unknown)(input);
    };
    return [name, record];
  });
  const rig = await createWindowRig({ handlers: Object.fromEntries(recorded) });
  rig.services.followFeatures();
  await settle();
  return {
    ...rig,
    ...rig.render(element),
    user: userEvent.setup(),
    /** Intents that the core received, oldest first. */
    calls,
    /** The core pushes; React renders the change. */
    push: ((name, payload) =>
      act(async () => {
        rig.push(name, payload);
        await settle();
      })) as (...push: Parameters<typeof rig.push>) => Promise<void>,
  };
}
