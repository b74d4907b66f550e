// Main, core: the dead man's alarm. Nothing seen for so many minutes is told on the desktop, more loudly when markets are open, and that sight is back
// is told in its place. One notification for one blindness, over crashes and restarts.
import { z } from 'zod';
import type { Blindness } from '../../../shared/domain/alert-rules.ts';
import { isOpen, openTime, type SessionCalendar } from '../../../shared/domain/sessions.ts';
import { type Cancel, type Clock, every } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Logger } from '../ports.ts';
import { durationWords, newYorkTime } from './time-words.ts';

/** Not seeing, as the rest of the core says it: since when, this computer's clock, and why. */
export interface Unseen {
  readonly since: string;
  readonly cause: string;
}

export interface BlindAlarmOptions {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'facts' | 'tellings' | 'transaction'>;
  readonly logger: Logger;
  readonly world: { at(local: number): number };
  readonly unseen: () => Unseen | null;
  /** All was fetched, and what is shown is as new as it should be. */
  readonly sees: () => boolean;
  /** Where the watched symbols trade. */
  readonly calendars: () => readonly SessionCalendar[];
  readonly limits: () => Blindness;
  /** Why another notification would be one too many now; null: it is not. */
  readonly pause: () => string | null;
  /** There is something to hand over. */
  readonly onTold: () => void;
}

export interface BlindAlarm {
  start(): void;
  stop(): void;
}

/** Kept in the ledger, so that a blindness goes on over a restart. */
const SpellSchema = z.strictObject({
  /** This computer's clock. */
  since: z.string(),
  cause: z.string(),
  /** How long this program ran and saw nothing, ms; of it, while a market of a watched symbol was open. */
  awake: z.number(),
  inMarket: z.number(),
  /** How often it was told. */
  told: z.number().int(),
  /** `awake` at which it is told again, ms. */
  next: z.number(),
});
type Spell = z.infer<typeof SpellSchema>;

/** How often it is looked, ms. */
const LOOK = 5_000;
/** The longest time between two looks that counts: more was sleep, or a clock that was set, ms. */
const LONGEST_LOOK = 2 * LOOK;
/** It is told again, in the same place, after this, then after twice as long, and so on, ms. */
const AGAIN = 30 * 60_000;
const MINUTE = 60_000;

export const blindNoticeId = (since: string): string => `barograph:blind:${since}`;

export function createBlindAlarm(options: BlindAlarmOptions): BlindAlarm {
  const { clock, ledger, logger, world } = options;
  let spell: Spell | null = null;
  let lookedAt: number | null = null;
  let cancel: Cancel = () => undefined;

  const keep = (next: Spell | null): void => ledger.facts.set('blind', next === null ? '' : JSON.stringify(next));
  const marketTime = (from: number, to: number): number =>
    Math.max(0, ...options.calendars().map((calendar) => openTime(calendar, world.at(from), world.at(to))));
  const isMarketOpen = (now: number): boolean =>
    options.calendars().some((calendar) => isOpen(calendar, world.at(now)));
  /** "since 14:02 New York, for 35 minutes of market time." */
  const howLong = ({ since }: Spell, now: number): string => {
    const from = Date.parse(since);
    const market = marketTime(from, now);
    const length = market >= MINUTE ? `${durationWords(market)} of market time` : durationWords(now - from);
    return `for ${length}`;
  };
  const write = (id: string, reason: string): void => {
    ledger.tellings.write(
      0,
      { id, kind: 'blind', rules: [], baseRate: null, outcome: 'intent', reason, bin: null },
      clock.now(),
    );
  };
  /** What was said before and nobody took is out of date. */
  const withdraw = ({ since, told }: Spell): void => {
    for (let turn = 1; turn <= told; turn += 1) {
      const { outcome } = ledger.tellings.find(rowId(since, turn)) ?? {};
      if (outcome === 'intent' || outcome === 'failed')
        ledger.tellings.record(
          rowId(since, turn),
          'dropped',
          clock.now(),
          'Something newer is to be told in its place.',
        );
    }
  };

  const tell = (present: Spell, now: number): Spell => {
    const told = present.told + 1;
    const at = newYorkTime(world.at(Date.parse(present.since)), world.at(now));
    withdraw(present);
    write(
      rowId(present.since, told),
      `Blind since ${at}\n${upper(howLong(present, now))}. ${present.cause} Nothing is told until sight is back.`,
    );
    return { ...present, told, next: present.awake + AGAIN * 2 ** present.told };
  };
  const sawAgain = (past: Spell, now: number): void => {
    withdraw(past);
    const from = newYorkTime(world.at(Date.parse(past.since)), world.at(now));
    write(
      `${blindNoticeId(past.since)}@back`,
      `Sight is back\nBlind from ${from}, ${howLong(past, now)}. What happened meanwhile was fetched.`,
    );
  };

  const isDue = ({ told, awake, inMarket, next }: Spell): boolean => {
    if (told > 0) return awake >= next;
    const { market_minutes, other_minutes } = options.limits();
    return inMarket >= market_minutes * MINUTE || awake >= other_minutes * MINUTE;
  };
  const lookAt = ({ since, cause }: Unseen, passed: number, now: number): void => {
    const before = spell ?? { since, cause, awake: 0, inMarket: 0, told: 0, next: 0 };
    let next: Spell = {
      ...before,
      cause,
      awake: before.awake + passed,
      inMarket: before.inMarket + (isMarketOpen(now) ? passed : 0),
    };
    const isTold = isDue(next) && options.pause() === null;
    ledger.transaction(() => {
      if (isTold) next = tell(next, now);
      keep(next);
    });
    spell = next;
    if (isTold) options.onTold();
  };
  const look = (): void => {
    const now = clock.now();
    const passed = lookedAt === null ? 0 : Math.min(LONGEST_LOOK, Math.max(0, now - lookedAt));
    lookedAt = now;
    const unseen = options.unseen();
    try {
      if (unseen !== null) lookAt(unseen, passed, now);
      else if (spell !== null && options.sees()) {
        const past = spell;
        ledger.transaction(() => {
          if (past.told > 0) sawAgain(past, now);
          keep(null);
        });
        spell = null;
        if (past.told > 0) options.onTold();
      }
    } catch (thrown) {
      logger.warn({ problem: messageOf(thrown) }, 'the alarm of blindness could not be written; it is tried again');
    }
  };

  return {
    start() {
      spell = readSpell(ledger.facts.get('blind'));
      lookedAt = clock.now();
      cancel = every(clock, LOOK, look);
    },
    stop: () => cancel(),
  };
}

/** Rows are told once each; all of them replace one another on the desktop, which goes by what stands before the @. */
const rowId = (since: string, turn: number): string =>
  turn === 1 ? blindNoticeId(since) : `${blindNoticeId(since)}@${turn}`;
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function readSpell(text: string | null): Spell | null {
  if (text === null || text === '') return null;
  try {
    const spell = SpellSchema.parse(JSON.parse(text));
    return Number.isNaN(Date.parse(spell.since)) ? null : { ...spell, since: timestamp(Date.parse(spell.since)) };
  } catch {
    return null;
  }
}
