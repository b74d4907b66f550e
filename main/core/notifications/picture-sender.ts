// Main, core: adds pictures to messages. The text is sent first: a picture neither delays an alert nor loses one.
import { messageFrom, refused } from '../../../shared/channels/channel.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { type Message, message, textOf } from '../../../shared/text/message.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PendingNotification } from '../ledger/notifications.ts';
import type { Picture, Pictures } from '../pictures/pictures.ts';
import type { Logger, Notifier } from '../ports.ts';
import type { ChannelRequest, Delivery, Destination } from './channels/channel.ts';
import { channelOf } from './channels/channels.ts';
import type { createReceivers } from './receivers.ts';

export interface PictureSenderDeps {
  readonly ledger: Pick<Ledger, 'notifications' | 'trace'>;
  readonly receivers: Pick<ReturnType<typeof createReceivers>, 'addPicture'>;
  readonly pictures: Pick<Pictures, 'of' | 'isAvailable'>;
  readonly notifier: Pick<Notifier, 'showsPictures'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** How long a message waits for its picture where the channel cannot add it later, ms. */
const WAIT = 2_000;
/** A picture is made when no text was sent for so long, ms: in a burst, texts have the processor. */
const QUIET = 1_000;
/** Longest wait for that, ms. */
const LONGEST_BURST = 10_000;
/** Deadline of the receiver, ms. */
const LIMIT = 15_000;

export function createPictureSender({ ledger, receivers, pictures, notifier, clock, logger }: PictureSenderDeps) {
  const { notifications, trace } = ledger;
  /** By the id of the notification. */
  const running = new Map<string, Promise<void>>();
  const over = new AbortController();
  let lastText = 0;
  let lastMade: Promise<unknown> = Promise.resolve();
  const quiet = async (): Promise<void> => {
    const latest = clock.now() + LONGEST_BURST;
    for (let now = clock.now(); now < latest && Math.abs(now - lastText) < QUIET; now = clock.now())
      await new Promise<void>((resolve) => clock.after(QUIET - Math.abs(now - lastText), resolve));
  };
  const makeWhenQuiet = (symbol: string): Promise<Picture> => {
    const made = lastMade.then(quiet).then(() => pictures.of(symbol));
    lastMade = made.catch(() => undefined);
    return made;
  };

  /** Only what names a symbol has a picture, and only where the user wants it. */
  const isWanted = (destination: Destination, { symbol }: ChannelRequest): boolean =>
    pictures.isAvailable &&
    symbol !== null &&
    (destination.kind === 'desktop'
      ? notifier.showsPictures?.() === true
      : !('picture' in destination && destination.picture === false));
  const report = (notification: PendingNotification, why: Message): void => {
    const { id, channel } = notification;
    logger.warn({ id, problem: textOf(why) }, 'a message has no picture');
    trace.appendToAll(
      notifications.eventsOf(id),
      'answered',
      message('trace.no_picture', { channel, why }),
      clock.now(),
    );
  };
  const add = async (notification: PendingNotification, destination: Destination, sent: SentText): Promise<void> => {
    const { id, revision, channel } = notification;
    const { request, receipt } = sent;
    let cancel: Cancel = () => undefined;
    try {
      const picture = await makeWhenQuiet(request.symbol ?? '');
      const limit = new AbortController();
      cancel = clock.after(LIMIT, () => limit.abort(refused(message('delivery.unanswered'))));
      over.signal.throwIfAborted();
      // Its message has an end, or is replaced: a picture would bring its buttons back.
      if (notifications.isSettled(id) || (notifications.find(id)?.revision ?? 0) > revision) return;
      const added = { notification: request, picture, receipt };
      await receivers.addPicture(channel, destination, added, AbortSignal.any([limit.signal, over.signal]));
    } catch (error) {
      if (!over.signal.aborted) report(notification, messageFrom(error));
    } finally {
      cancel();
    }
  };

  return {
    /** The picture for a channel that waits for it, at most two seconds; null: it has none, or not in time. */
    async before(notification: PendingNotification, destination: Destination, request: ChannelRequest) {
      if (channelOf(destination).waitsForPicture !== true || !isWanted(destination, request)) return null;
      try {
        return await within(WAIT, pictures.of(request.symbol ?? ''), clock);
      } catch (error) {
        report(notification, messageFrom(error));
        return null;
      }
    },
    /** Adds it in the background. */
    after(
      notification: PendingNotification,
      destination: Destination,
      request: ChannelRequest,
      delivery: Delivery,
    ): void {
      const { addPicture, takesPicture } = channelOf(destination);
      if (addPicture === undefined || takesPicture?.(destination) === false || delivery.outcome === 'away') return;
      if (!isWanted(destination, request)) return;
      lastText = clock.now();
      const { id } = notification;
      const done = add(notification, destination, { request, receipt: delivery.receipt ?? null })
        .catch((error: unknown) => logger.warn({ id, problem: String(error) }, 'a message has no picture'))
        .finally(() => running.get(id) === done && running.delete(id));
      running.set(id, done);
    },
    /** Resolves when no picture of the notification is on its way: what is told later must not be undone by it. */
    idle: async (id: string): Promise<void> => running.get(id),
    /** Ends what is on its way. */
    stop: (): void => over.abort(),
  };
}

interface SentText {
  readonly request: ChannelRequest;
  readonly receipt: string | null;
}

function within(limit: number, work: Promise<Picture>, clock: Clock): Promise<Picture> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(limit, () => reject(refused(message('delivery.unanswered'))));
    work.then(resolve, reject).finally(cancel);
  });
}
