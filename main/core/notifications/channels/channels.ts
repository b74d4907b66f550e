// Main, core: the table of notification channels. A new channel is a file in this folder and a row here.
import type { Channel, Destination } from './channel.ts';
import { desktop } from './desktop.ts';
import { mail } from './mail.ts';
import { ntfy } from './ntfy.ts';

type Kind = Destination['kind'];

const CHANNELS: { readonly [Own in Kind]: Channel<Own> } = { desktop, ntfy, mail };

/** The channel of a destination; the table's type guarantees that the kinds match. */
export const channelOf = ({ kind }: Destination): Channel<Kind> => CHANNELS[kind] as Channel<Kind>;
