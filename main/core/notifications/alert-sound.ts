// Main, core: plays the sound of notifications, and repeats it until the user has handled them.
// A window plays it. Without one, the desktop shows the notification again, with the sound.
import type { alertingChannels } from '../../../shared/channels/alerting.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { LONGEST_REPEAT, type Sound, type SoundName } from '../../../shared/settings/alert-rules.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { EventBus, Followers } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AudibleNotification } from '../ledger/notification-sounds.ts';
import type { CoreContext } from '../module.ts';
import { isAcknowledgedOrNormal } from './acknowledged-or-normal.ts';
import type { DispatchPolicy } from './policy.ts';
import type { RuleStore } from './rule-store.ts';
import type { DesktopSound, NotificationSender } from './sender.ts';
import { louder, soundOf } from './sound-choice.ts';

export interface AlertSound {
  readonly handlers: Pick<Handlers<typeof alertingChannels>, 'sound.played' | 'sound.test'>;
  readonly on: Required<Pick<Followers, 'alertsChanged' | 'mutesChanged' | 'rulesChanged' | 'windowsChanged'>>;
  start(): void;
  stop(): void;
}

export interface AlertSoundDeps {
  readonly context: Pick<CoreContext, 'events' | 'guard' | 'ports' | 'profile'>;
  readonly ledger: Pick<Ledger, 'notifications' | 'annotations' | 'entries'>;
  readonly ruleStore: Pick<RuleStore, 'get'>;
  readonly policy: Pick<DispatchPolicy, 'mutedBy'>;
  readonly sender: Pick<NotificationSender, 'sound' | 'testSound'>;
  readonly windows: { isOpen(): boolean };
  readonly isReplay: () => boolean;
}

/** When no window has begun to play within this time, ms, the desktop plays. */
const WINDOW_DEADLINE = 1_500;

interface Play {
  readonly revision: number;
  readonly at: number;
}

export function createAlertSound(deps: AlertSoundDeps): AlertSound {
  const { context, ledger, ruleStore, policy, sender, windows, isReplay } = deps;
  const { clock } = context.guard;
  /** The last play of each notification. */
  const plays = new Map<string, Play>();
  const byWindow = createWindowPlays(context.events, clock);
  let pending: Cancel = () => undefined;
  let isStopped = false;

  /**
   * True unless acknowledged, back to Normal or muted.
   * @param isRepeat a return to Normal sounds only once
   */
  const isWanted = (ledgerId: number, isRepeat: boolean): boolean => {
    const [entry] = ledger.entries.byLedgerIds([ledgerId]);
    if (entry === undefined || (isRepeat && entry.to_state === 0)) return false;
    return !isAcknowledgedOrNormal(ledger, ledgerId) && policy.mutedBy(entry) === null;
  };
  /** Time of the next sound, this computer's clock, ms; null: none. */
  const nextOf = ({ id, revision }: AudibleNotification, { repeat_seconds }: Sound, now: number): number | null => {
    const last = plays.get(id);
    const isRepeat = last !== undefined && last.revision >= revision;
    if (isRepeat && repeat_seconds === null) return null;
    if (!ledger.notifications.eventsOf(id).some((one) => isWanted(one, isRepeat))) return null;
    // A clock that was set back makes the elapsed time unknown.
    if (!isRepeat || last.at > now || repeat_seconds === null) return now;
    return last.at + repeat_seconds * 1000;
  };
  const isStillWanted = (id: string): boolean =>
    !isStopped && ledger.notifications.eventsOf(id).some((one) => isWanted(one, false));
  const play = async (name: SoundName, { id }: AudibleNotification): Promise<void> => {
    if (windows.isOpen() && (await byWindow.play(name))) return;
    // The user may have handled it meanwhile, and the desktop would show it again.
    if (isStillWanted(id)) await playOnDesktop(id, deps);
  };
  /** Notifications that are due at the same time have one sound. */
  const check = (): void => {
    pending();
    pending = () => undefined;
    // A sandbox and a replay are silent.
    if (isStopped || context.profile.environment === 'sandbox' || isReplay()) return;
    const now = clock.now();
    const recent = ledger.notifications.audible(now - LONGEST_REPEAT, now);
    const known = new Set(recent.map(({ id }) => id));
    for (const id of plays.keys()) if (!known.has(id)) plays.delete(id);
    const due: AudibleNotification[] = [];
    let loudest: Sound | null = null;
    let next = Number.POSITIVE_INFINITY;
    for (const one of recent) {
      const sound = soundOf(one.rules, ruleStore);
      // A pending notification has not been dispatched to the desktop yet.
      const at = sound === null || one.outcome === 'intent' ? null : nextOf(one, sound, now);
      if (sound === null || at === null) continue;
      next = Math.min(next, at > now ? at : now + (sound.repeat_seconds ?? Number.POSITIVE_INFINITY) * 1000);
      if (at > now) continue;
      // Without a window, the desktop played the first sound with the notification.
      const isPlayed =
        (plays.get(one.id)?.revision ?? 0) < one.revision && !windows.isOpen() && one.outcome === 'shown';
      plays.set(one.id, { revision: one.revision, at: now });
      if (isPlayed) continue;
      due.push(one);
      loudest = louder(loudest, sound);
    }
    const [first] = due;
    if (first !== undefined && loudest !== null) void play(loudest.name, first);
    if (next < Number.POSITIVE_INFINITY) pending = clock.after(next - now, check);
  };

  return {
    handlers: {
      'sound.played': ({ id }) => {
        byWindow.played(id);
        return {};
      },
      'sound.test': async ({ name }) => {
        if (windows.isOpen() && (await byWindow.play(name))) return { detail: message('sound.by_window') };
        return { detail: testedBy(await sender.testSound(name)) };
      },
    },
    on: { alertsChanged: check, mutesChanged: check, rulesChanged: check, windowsChanged: check },
    start() {
      const now = clock.now();
      // An earlier run played the first sound; repeats continue.
      for (const { id, revision, outcome } of ledger.notifications.audible(now - LONGEST_REPEAT, now))
        if (outcome === 'shown' || outcome === 'in_app') plays.set(id, { revision, at: now });
      check();
    },
    stop() {
      isStopped = true;
      pending();
      byWindow.stop();
    },
  };
}

async function playOnDesktop(id: string, { context, sender }: AlertSoundDeps): Promise<void> {
  try {
    await sender.sound(id);
  } catch (error) {
    const { logger } = context.ports;
    logger.warn({ id, problem: messageOf(error) }, 'the desktop could not play the sound of a notification');
  }
}

function testedBy({ isShown, plays }: DesktopSound): Message {
  if (!isShown) return message('sound.by_none');
  return plays === false ? message('sound.desktop_silent') : message('sound.by_desktop');
}

/** Asks the windows to play; one of them answers. */
function createWindowPlays(events: Pick<EventBus, 'emit'>, clock: Clock) {
  const asked = new Map<string, (isPlayed: boolean) => void>();
  let number = 0;
  return {
    /** Resolves to false when no window plays it. */
    play: (name: SoundName): Promise<boolean> =>
      new Promise((resolve) => {
        number += 1;
        const id = `sound-${clock.now()}-${number}`;
        const cancel = clock.after(WINDOW_DEADLINE, () => asked.get(id)?.(false));
        asked.set(id, (isPlayed) => {
          cancel();
          asked.delete(id);
          resolve(isPlayed);
        });
        events.emit('soundDue', { id, name });
      }),
    played: (id: string): void => asked.get(id)?.(true),
    stop(): void {
      for (const answer of [...asked.values()]) answer(true);
    },
  };
}
