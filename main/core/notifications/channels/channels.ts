// Main, core: the table of channels besides the desktop; another one is a file and a line here.
import type { Clock } from '../../../../shared/lib/clock.ts';
import type { NotificationChannel } from '../../../../shared/settings/alert-rules.ts';
import type { FetchLike, NotificationChannels } from '../../ports.ts';
import type { ChannelSender } from './channel-sender.ts';
import { sendMail } from './mail.ts';
import { publishToNtfy } from './ntfy.ts';

type ChannelKind = NotificationChannel['kind'];

const SENDERS: { readonly [Kind in ChannelKind]: ChannelSender<Kind> } = {
  ntfy: publishToNtfy,
  mail: sendMail,
};

export function createNotificationChannels(fetch: FetchLike, clock: Clock): NotificationChannels {
  return {
    send(channel, message, secret) {
      // By the table's type, the sender fits the kind of the channel.
      const send = SENDERS[channel.kind] as ChannelSender<ChannelKind>;
      return send(channel, message, secret, { fetch, clock });
    },
  };
}
