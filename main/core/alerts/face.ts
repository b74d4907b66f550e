// Main, core: rules, mutes, hours and what waits, as windows see them; pushed when a few changes have gathered and one of them shows.
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { isQuiet } from '../../../shared/domain/alert-rules.ts';

import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { WorldClock } from '../state/world-clock.ts';
import type { AwayStory } from './away.ts';
import type { RuleBook } from './rule-book.ts';
import type { WaitingRoom } from './waiting-room.ts';

export interface AlertingFace {
  read(): Alerting;
  /** Something that it shows may be different now. */
  changed(): void;
  stop(): void;
}

export interface AlertingFaceOptions {
  readonly clock: Clock;
  readonly world: Pick<WorldClock, 'now'>;
  readonly environment: Environment;
  readonly book: Pick<RuleBook, 'faces' | 'quiet' | 'blind'>;
  readonly mutes: Ledger['mutes'];
  readonly heldBack: WaitingRoom['heldBack'];
  readonly away: Pick<AwayStory, 'story'>;
  /** The least time between two notifications, ms; null: none is kept. */
  readonly pause: () => number | null;
  readonly onChanged: (alerting: Alerting) => void;
}

/** Changes within this time go out as one push, ms. */
const GATHER = 50;

export function createAlertingFace(options: AlertingFaceOptions): AlertingFace {
  const { clock, world, environment, book, mutes, away } = options;
  let cancelPush: Cancel | null = null;
  let pushed = '';

  const read = (): Alerting => {
    const now = world.now();
    const held = options.heldBack();
    const rules = book.faces(now);
    return {
      rules,
      silent: !rules.some(({ rule, problem }) => rule?.enabled === true && problem === null),
      quiet: book.quiet(),
      blind: book.blind(),
      is_quiet: isQuiet(book.quiet(), now, environment === 'sandbox' ? 'always' : 'us'),
      mutes: mutes.active().map((mute) => ({
        id: mute.id,
        kind: mute.kind,
        symbols: mute.symbols === null ? null : [...mute.symbols],
        until: mute.until,
        from: timestamp(mute.from),
        until_at: mute.untilAt === null ? null : timestamp(mute.untilAt),
        comment: mute.comment,
        made_at: timestamp(mute.madeAt),
        holds: held.filter((symbol) => mute.symbols === null || (symbol !== null && mute.symbols.includes(symbol)))
          .length,
      })),
      held_back: held.length,
      sandbox_pause: options.pause(),
      away: away.story(),
    };
  };
  return {
    read,
    changed() {
      cancelPush ??= clock.after(GATHER, () => {
        cancelPush = null;
        const now = read();
        // With every event something may have become another, and mostly nothing has.
        const words = JSON.stringify(now);
        if (words === pushed) return;
        pushed = words;
        options.onChanged(now);
      });
    },
    stop: () => cancelPush?.(),
  };
}
