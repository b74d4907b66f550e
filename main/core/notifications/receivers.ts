// Main, core: reaches the receivers of channels, each with its secret.
import { messageFrom, refused } from '../../../shared/channels/channel.ts';
import { message } from '../../../shared/text/message.ts';
import { messageWithoutEcho } from '../compat/echo.ts';
import type { Ports } from '../ports.ts';
import { createChannelSecrets, secretAccount } from './channel-secrets.ts';
import type { ChannelStore } from './channel-store.ts';
import {
  type Channel,
  type ChannelPorts,
  type ChannelRequest,
  type Delivery,
  type Destination,
  PausedError,
  pauseOf,
  type SettledNotification,
} from './channels/channel.ts';
import { channelOf } from './channels/channels.ts';

export interface ReceiversDeps {
  readonly ports: Pick<Ports, 'vault'> & ChannelPorts;
  readonly profile: string;
  readonly channelStore: Pick<ChannelStore, 'get'>;
}

export type AddedPicture = Parameters<NonNullable<Channel<Destination['kind']>['addPicture']>>[1];

export function createReceivers({ ports, profile, channelStore }: ReceiversDeps) {
  const secrets = createChannelSecrets(ports.vault, profile, ports.clock);
  /**
   * Reaches a receiver, without a secret when the keychain fails: many channels need none, and others refuse.
   * @param attempt its end; absent: a test, which waits for the user to unlock the keychain
   */
  const reach = async <Result>(
    id: string,
    destination: Destination,
    attempt: AbortSignal | undefined,
    job: (secret: string | null, channelPorts: ChannelPorts) => Promise<Result>,
  ): Promise<Result> => {
    const account = secretAccount(id, destination);
    const channelPorts = attempt === undefined ? ports : endingWith(attempt, ports);
    if (account === null) return job(null, channelPorts);
    const secret = await (attempt === undefined ? secrets.forTest(account) : secrets.forAttempt(account));
    attempt?.throwIfAborted();
    try {
      const result = await job(secret.ok ? secret.value : null, channelPorts);
      secrets.accepted(account, secret);
      return result;
    } catch (error) {
      secrets.forget(account);
      // A receiver or the error of a library may echo the secret.
      const why = secret.ok
        ? messageWithoutEcho(messageFrom(error), secret.value)
        : message('delivery.without_secret', { why: messageFrom(error), secret: secret.error });
      throw pauseOf(error) === 0 ? refused(why) : new PausedError(why, pauseOf(error));
    }
  };

  return {
    /** @param attempt its end; absent: a test */
    send: (id: string, destination: Destination, request: ChannelRequest, attempt?: AbortSignal): Promise<Delivery> =>
      reach(id, destination, attempt, (secret, channelPorts) =>
        channelOf(destination).send(destination, request, secret, channelPorts),
      ),
    /** Adds a picture to a message that was sent, where the channel can. */
    addPicture: (id: string, destination: Destination, added: AddedPicture, attempt: AbortSignal): Promise<void> =>
      reach(id, destination, attempt, async (secret, channelPorts) =>
        channelOf(destination).addPicture?.(destination, added, secret, channelPorts),
      ),
    /** Whether the receiver of this channel can be told that somebody dealt with a notification. */
    canSettle(id: string): boolean {
      const destination = channelStore.get(id)?.destination;
      return destination !== undefined && channelOf(destination).settle !== undefined;
    },
    /**
     * Rejects when the receiver did not answer.
     * @returns false: it cannot be told, because the channel is gone or the receiver refused it
     */
    async settle(id: string, settled: SettledNotification & { readonly receipt: string | null }): Promise<boolean> {
      const destination = channelStore.get(id)?.destination;
      const settle = destination && channelOf(destination).settle;
      const account = destination === undefined ? null : secretAccount(id, destination);
      if (destination === undefined || settle === undefined || account === null) return false;
      const secret = await secrets.forAttempt(account);
      if (!secret.ok) throw new Error(secret.error);
      try {
        await settle(destination, settled, secret.value, ports);
        return true;
      } catch (error) {
        // The message may be gone: to try again would change nothing.
        if (isRefusedForGood(error)) return false;
        throw refused(messageWithoutEcho(messageFrom(error), secret.value));
      }
    },
    /** A user changed the secret of a channel: the next attempt reads it again. */
    forgetSecret: secrets.forget,
  };
}

/** A receiver refused it with 400 or 404. */
const isRefusedForGood = (error: unknown): boolean => {
  const why = messageFrom(error);
  return why.code === 'delivery.refused' && (why.values.status === 400 || why.values.status === 404);
};

/** Aborts the requests of an attempt at its end. */
const endingWith = (attempt: AbortSignal, { fetch, clock, notifier }: ChannelPorts): ChannelPorts => ({
  fetch: (url, init) =>
    fetch(url, { ...init, signal: AbortSignal.any([attempt, ...(init?.signal ? [init.signal] : [])]) }),
  clock,
  notifier,
});
