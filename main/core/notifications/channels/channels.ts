// Main, core: the table of the senders of notification channels.
import type { Channel, Destination } from './channel.ts';
import { desktop } from './desktop.ts';
import { discord } from './discord.ts';
import { mail } from './mail.ts';
import { ntfy } from './ntfy.ts';
import { pagerduty } from './pagerduty.ts';
import { pushover } from './pushover.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

type Kind = Destination['kind'];

const CHANNELS: { readonly [Own in Kind]: Channel<Own> } = {
  desktop,
  ntfy,
  telegram,
  slack,
  discord,
  teams,
  pagerduty,
  pushover,
  mail,
  webhook,
};

/** The channel of a destination; the table's type guarantees that the kinds match. */
export const channelOf = ({ kind }: Destination): Channel<Kind> => CHANNELS[kind] as Channel<Kind>;
