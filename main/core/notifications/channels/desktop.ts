// Main, core: shows a notification on the desktop; while the desktop is away, it stays pending.
import type { Channel } from './channel.ts';

export const desktop: Channel<'desktop'> = {
  retriedFor: Number.POSITIVE_INFINITY,
  secretOwner: () => null,
  async send(_, notification, __, { notifier }) {
    const { tier, detail } = await notifier.show(notification);
    return { outcome: tier === 'system' ? 'shown' : 'away', detail };
  },
  async addPicture(_, { notification, picture }, __, { notifier }) {
    await notifier.addPicture?.(notification, picture.png);
  },
};
