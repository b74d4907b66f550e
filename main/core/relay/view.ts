// Main, core: the relay's view for the windows, pushed in batches.
import type { Arrival, RelayView } from '../../../shared/channels/relay.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { Listener } from './listener.ts';
import type { Refusals } from './refusals.ts';
import type { Registrar } from './registrar.ts';
import type { SecretStore } from './secrets.ts';
import type { RelaySettingsStore } from './settings.ts';

export interface ViewReader {
  read(): RelayView;
  /** Something that it shows is different now. */
  changed(): void;
  stop(): void;
}

export interface ViewOptions {
  readonly clock: Clock;
  readonly settings: Pick<RelaySettingsStore, 'read'>;
  readonly secrets: Pick<SecretStore, 'live' | 'form'>;
  readonly refusals: Pick<Refusals, 'list'>;
  readonly reachable: boolean;
  /** Asked late: what makes up the relay says itself when something changed. */
  readonly now: () => {
    readonly listening: ReturnType<Listener['listening']>;
    /** What keeps the relay from its work, as a message for the user. */
    readonly problem: string | null;
    readonly registration: ReturnType<Registrar['view']>;
    /** Newest first. */
    readonly arrivals: Arrival[];
    readonly quarantined: number;
    readonly targets: RelayView['targets'];
  };
  readonly onChanged: (view: RelayView) => void;
}

/** Changes within this time are shown at once, ms. */
const BATCH_DELAY = 250;

export function createViewReader({
  clock,
  settings,
  secrets,
  refusals,
  reachable,
  now,
  onChanged,
}: ViewOptions): ViewReader {
  let cancelPush: Cancel | null = null;
  let isStopped = false;
  const read = (): RelayView => {
    const { listening, problem, registration, arrivals, quarantined, targets } = now();
    return {
      on: listening !== null || settings.read().on,
      listening:
        listening === null
          ? null
          : { address: `http://127.0.0.1:${listening.port}`, as_configured: listening.isConfiguredPort },
      problem,
      registration,
      public_url: settings.read().publicUrl,
      reachable,
      secrets: {
        current: secrets.live(clock.now()).some(({ generation }) => generation === 'current'),
        previous: secrets.live(clock.now()).some(({ generation }) => generation === 'previous'),
      },
      form: secrets.form(),
      arrivals,
      refused: refusals.list(),
      quarantined: quarantined,
      targets,
    };
  };
  return {
    read,
    changed() {
      cancelPush ??= clock.after(BATCH_DELAY, () => {
        cancelPush = null;
        if (!isStopped) onChanged(read());
      });
    },
    stop() {
      isStopped = true;
      cancelPush?.();
    },
  };
}
