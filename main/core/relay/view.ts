// Main, core: the relay's view for the windows, and the timer that batches its pushes.
import type { RelayView } from '../../../shared/channels/relay.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { DEFAULT_MAPPING } from '../../../shared/settings/foreign-alerts.ts';
import type { ActivityLog } from './activity.ts';
import type { Listener } from './listener.ts';
import type { SecretStore } from './secrets.ts';
import type { RelaySettingsStore } from './settings.ts';

/** The parts of the relay that exist without its file. */
export interface RelayParts {
  readonly settings: RelaySettingsStore;
  readonly secrets: SecretStore;
  readonly activity: ActivityLog;
  /** The service can reach this computer by itself. */
  readonly reachable: boolean;
  /** The view has changed. */
  readonly changed: () => void;
}

/** The values in the view that the open file, the listener and the registrar have. */
export interface RelayStatus extends Pick<RelayView, 'problem' | 'registration' | 'quarantined' | 'targets'> {
  readonly listening: ReturnType<Listener['listening']>;
  /** When the last alert of another program came. */
  readonly inboundAt: string | null;
}

/** @param now this computer's clock, ms */
export function viewOf(
  now: number,
  { settings, secrets, activity, reachable }: Omit<RelayParts, 'changed'>,
  { listening, inboundAt, ...status }: RelayStatus,
): RelayView {
  const { on, publicUrl, mapping = DEFAULT_MAPPING } = settings.read();
  const live = secrets.live(now);
  return {
    ...status,
    problem: status.problem ?? (on ? settings.problem() : null),
    on: listening !== null || on,
    listening:
      listening === null
        ? null
        : { address: `http://127.0.0.1:${listening.port}`, as_configured: listening.isConfiguredPort },
    public_url: publicUrl,
    reachable,
    secrets: {
      current: live.some(({ generation }) => generation === 'current'),
      previous: live.some(({ generation }) => generation === 'previous'),
    },
    form: secrets.form(),
    arrivals: activity.arrivals(),
    refused: activity.refusals(),
    inbound: { mapping, last_at: inboundAt },
  };
}

export interface PushTimer {
  /** The view has changed. */
  changed(): void;
  begin(push: () => void): void;
  stop(): void;
}

/** Changes within this time are pushed together, ms. */
const BATCH_DELAY = 250;

export function createPushTimer(clock: Clock): PushTimer {
  let push: (() => void) | null = null;
  let cancel: Cancel | null = null;
  return {
    changed() {
      if (push === null) return;
      cancel ??= clock.after(BATCH_DELAY, () => {
        cancel = null;
        push?.();
      });
    },
    begin(given) {
      push = given;
    },
    stop() {
      push = null;
      cancel?.();
    },
  };
}
