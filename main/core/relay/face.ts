// Main, core: how the relay stands, for the windows, pushed when a few changes have gathered.
import type { Arrival, RelayFace } from '../../../shared/channels/relay.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { Listener } from './listener.ts';
import type { Refusals } from './refusals.ts';
import type { Registrar } from './registrar.ts';
import type { SecretBook } from './secrets.ts';
import type { RelaySettingsDesk } from './settings.ts';

export interface FaceReader {
  read(): RelayFace;
  /** Something that it shows is different now. */
  changed(): void;
  stop(): void;
}

export interface FaceOptions {
  readonly clock: Clock;
  readonly settings: Pick<RelaySettingsDesk, 'read'>;
  readonly secrets: Pick<SecretBook, 'live' | 'form'>;
  readonly refusals: Pick<Refusals, 'list'>;
  readonly reachable: boolean;
  /** Asked late: what makes up the relay says itself when something changed. */
  readonly now: () => {
    readonly listening: ReturnType<Listener['listening']>;
    /** What keeps the relay from its work, in words for the user. */
    readonly problem: string | null;
    readonly registration: ReturnType<Registrar['face']>;
    /** Newest first. */
    readonly arrivals: Arrival[];
    readonly keptAside: number;
    readonly targets: RelayFace['targets'];
  };
  readonly onChanged: (face: RelayFace) => void;
}

/** Changes within this time are shown at once, ms. */
const GATHER = 250;

export function createFaceReader({
  clock,
  settings,
  secrets,
  refusals,
  reachable,
  now,
  onChanged,
}: FaceOptions): FaceReader {
  let cancelPush: Cancel | null = null;
  let isStopped = false;
  const read = (): RelayFace => {
    const { listening, problem, registration, arrivals, keptAside, targets } = now();
    return {
      on: listening !== null || settings.read().on,
      listening:
        listening === null ? null : { address: `http://127.0.0.1:${listening.port}`, as_wanted: listening.asWanted },
      problem,
      registration,
      public_url: settings.read().publicUrl,
      reachable,
      secrets: {
        current: secrets.live(clock.now()).some(({ slot }) => slot === 'current'),
        previous: secrets.live(clock.now()).some(({ slot }) => slot === 'previous'),
      },
      form: secrets.form(),
      arrivals,
      refused: refusals.list(),
      kept_aside: keptAside,
      targets,
    };
  };
  return {
    read,
    changed() {
      cancelPush ??= clock.after(GATHER, () => {
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
