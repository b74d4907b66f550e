// Main, core: the pictures of symbols: for messages of channels, and for the clipboard of a window.

import { messageFrom, refused } from '../../../shared/channels/channel.ts';
import type { CoreChannels } from '../../../shared/channels/channels.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Timeline } from '../../../shared/channels/queries.ts';
import { MAX_GAPS } from '../../../shared/channels/state.ts';
import { message } from '../../../shared/text/message.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { RowTable } from '../rows.ts';
import { pictureData } from './picture-data.ts';
import { pictureSvg } from './picture-svg.ts';
import { createPngRenderer } from './png.ts';

export interface Picture {
  readonly png: Buffer;
  /** Of letters that every receiver takes: SPY.png. */
  readonly fileName: string;
}

export interface Pictures {
  readonly handlers: Pick<Handlers<CoreChannels>, 'picture.make'>;
  /** False: this program makes none. */
  readonly isAvailable: boolean;
  /** The symbol now. Rejects with a RefusedError where its history is unknown, or the picture cannot be made. */
  of(symbol: string): Promise<Picture>;
}

export interface PicturesDeps {
  readonly context: Pick<CoreContext, 'guard' | 'ports' | 'profile' | 'world'>;
  readonly ledger: Pick<Ledger, 'shownGaps'>;
  readonly rows: Pick<RowTable, 'get'>;
  readonly readTimeline: (symbol: string) => Promise<Timeline>;
  readonly isReplay: () => boolean;
}

/** How long a picture is the same for all channels of a notification, ms. */
const KEPT = 10_000;

export function createPictures({ context, ledger, rows, readTimeline, isReplay }: PicturesDeps): Pictures {
  const { guard, ports, profile, world } = context;
  const start = ports.host?.startPicture;
  const render = start === undefined ? null : createPngRenderer(start, guard.clock);
  const made = new Map<string, Promise<Picture>>();

  const make = async (symbol: string): Promise<Picture> => {
    if (render === null) throw refused(message('picture.none'));
    const timeline = await readTimeline(symbol);
    const origin = profile.environment === 'sandbox' ? 'sandbox' : isReplay() ? 'replay' : null;
    const svg = pictureSvg(
      pictureData(timeline, { row: rows.get(symbol), gaps: ledger.shownGaps(MAX_GAPS), now: world.now(), origin }),
    );
    try {
      return { png: await render(svg), fileName: `${symbol.replace(/[^A-Za-z0-9-]/g, '_')}.png` };
    } catch (error) {
      throw refused(message('picture.failed', { why: messageFrom(error) }));
    }
  };
  const of = (symbol: string): Promise<Picture> => {
    const found = made.get(symbol) ?? make(symbol);
    if (!made.has(symbol)) guard.clock.after(KEPT, () => made.delete(symbol));
    made.set(symbol, found);
    return found;
  };
  return {
    handlers: { 'picture.make': async ({ symbol }) => ({ png: (await of(symbol)).png.toString('base64') }) },
    isAvailable: render !== null,
    of,
  };
}
