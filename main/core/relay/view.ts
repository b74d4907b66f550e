// Main, core: the relay's view for the windows, and the timer that batches its pushes.
import type { Arrival, RejectedRequest, RelayView } from '../../../shared/channels/relay.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { RelaySettings } from '../profiles/settings.ts';
import type { Listener } from './listener.ts';
import type { Registration } from './registrar.ts';
import type { SecretStore } from './secrets.ts';

/** The values in the view. */
export interface RelayStatus {
  /** This computer's clock, ms. */
  readonly now: number;
  readonly settings: RelaySettings;
  readonly secrets: Pick<SecretStore, 'live' | 'form'>;
  readonly reachable: boolean;
  readonly listening: ReturnType<Listener['listening']>;
  /** Why the relay does not work, as a message for the user. */
  readonly problem: string | null;
  readonly registration: Registration;
  /** Newest first. */
  readonly arrivals: Arrival[];
  readonly refused: RejectedRequest[];
  readonly quarantined: number;
  readonly targets: RelayView['targets'];
}

export function viewOf({ now, settings, secrets, listening, ...status }: RelayStatus): RelayView {
  const live = secrets.live(now);
  return {
    on: listening !== null || settings.on,
    listening:
      listening === null
        ? null
        : { address: `http://127.0.0.1:${listening.port}`, as_configured: listening.isConfiguredPort },
    problem: status.problem,
    registration: status.registration,
    public_url: settings.publicUrl,
    reachable: status.reachable,
    secrets: {
      current: live.some(({ generation }) => generation === 'current'),
      previous: live.some(({ generation }) => generation === 'previous'),
    },
    form: secrets.form(),
    arrivals: status.arrivals,
    refused: status.refused,
    quarantined: status.quarantined,
    targets: status.targets,
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
