// Main, core: what may keep a notification from being sent now: mutes, quiet hours, the pause of a sandbox.
import { sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { transitionOf } from '../ledger/transition.ts';
import { mutedBy } from './mutes.ts';
import type { RuleStore } from './rule-store.ts';

export interface DispatchPolicy {
  /** Why another notification would be one too many now; null: it is not. */
  pause(): string | null;
  /** The least time between two notifications, ms; null: there is none. */
  pauseLength(): number | null;
  /** Cheap: whether anything may be muted at all. */
  mayMute(): boolean;
  /** Why the alert of this entry is kept back now; null: it is not. */
  mutedBy(row: EntryRow): string | null;
  /** Those of the rules that send to a channel besides the desktop. */
  withChannel(rules: readonly string[]): string[];
}

export interface DispatchPolicyDeps {
  readonly environment: 'sandbox' | 'production';
  readonly ledger: Pick<Ledger, 'mutes' | 'notifications'>;
  readonly ruleStore: Pick<RuleStore, 'get' | 'quiet' | 'hasProduction'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly world: { now(): number };
}

/** In a sandbox beside a production profile, the least time between two notifications, ms (a sandbox must not drown the real thing). */
const SANDBOX_PAUSE = 5 * 60_000;

export function createDispatchPolicy({
  environment,
  ledger,
  ruleStore,
  clock,
  world,
}: DispatchPolicyDeps): DispatchPolicy {
  const isLimited = (): boolean => environment === 'sandbox' && ruleStore.hasProduction();
  return {
    pause() {
      if (!isLimited()) return null;
      const last = ledger.notifications.newestOnDesktop();
      const since = last === null ? Number.POSITIVE_INFINITY : clock.now() - last;
      // A clock that was set back says nothing of the time since.
      return since >= 0 && since < SANDBOX_PAUSE
        ? 'the sandbox tells at most once in five minutes while there is a production profile'
        : null;
    },
    pauseLength: () => (isLimited() ? SANDBOX_PAUSE : null),
    mayMute: () => ledger.mutes.active().length > 0 || ruleStore.quiet() !== null,
    mutedBy(row) {
      const calendar = sessionCalendarOf(transitionOf(row)?.asset_class ?? 'etf', environment);
      return mutedBy(ledger.mutes.active(), ruleStore.quiet(), row.symbol, calendar, world.now())?.reason ?? null;
    },
    withChannel: (rules) => [...new Set(rules)].filter((id) => ruleStore.get(id)?.channel != null),
  };
}
