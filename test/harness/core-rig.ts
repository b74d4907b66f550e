// Test harness: a core on a manual clock, with a recording notifier.
// Its data folder survives it.

import { type ServiceSource, serviceAt } from '../../main/core/connection/service-source.ts';
import type { ProfileKeys } from '../../main/core/keys/profile-keys.ts';
import type { LedgerOptions, Monitor } from '../../main/core/monitor.ts';
import type { KeyVault, NotificationOutcome, NotificationRequest, Ports } from '../../main/core/ports.ts';
import { DEFAULT_SETTINGS, type Profile, type Settings } from '../../main/core/profiles/settings.ts';
import { createRestartingMonitor } from '../../main/core/restarting-monitor.ts';
import { type Alerting, AlertingSchema } from '../../shared/channels/alerting.ts';
import type { NumberedChanges, Snapshot } from '../../shared/channels/state.ts';
import { NumberedChangesSchema, SnapshotSchema } from '../../shared/channels/state.ts';
import { plainMessage } from '../../shared/text/message.ts';
import type { ManualClock } from './manual-clock.ts';
import type { WireService } from './wire-service.ts';

export interface CoreRig {
  readonly core: Monitor;
  readonly shown: NotificationRequest[];
  /** Ids of notifications that were withdrawn from the desktop, in order. */
  readonly withdrawn: string[];
  readonly pushes: NumberedChanges[];
  readonly alertings: Alerting[];
  /** Sounds that windows were asked to play. */
  readonly sounds: { readonly id: string; readonly name: string }[];
  readonly logged: { readonly level: string; readonly message: string; readonly fields: object }[];
  snapshot(): Snapshot;
  /** Closes the window that every rig has. */
  detach(): void;
  settings: Settings;
}

export interface RigOptions {
  readonly clock: ManualClock;
  readonly service: Pick<WireService, 'url' | 'key' | 'fetch'>;
  readonly folder?: string;
  /** Of its file when the core is made. */
  readonly settings?: Settings;
  readonly show?: (request: NotificationRequest) => Promise<NotificationOutcome>;
  readonly history?: NonNullable<Ports['notifier']['history']>;
  readonly profile?: Partial<Profile>;
  readonly key?: string | null;
  /** The profile's key in a vault, instead of `key`. */
  readonly keys?: ProfileKeys;
  readonly baseUrl?: string;
  /** A service that starts with the core, instead of one that is up. */
  readonly source?: ServiceSource;
  readonly random?: () => number;
  readonly ports?: Partial<Ports>;
  readonly ledger?: LedgerOptions;
}

export const noVault: KeyVault = {
  tier: plainMessage('none'),
  getPassword: async () => null,
  setPassword: async () => undefined,
  deletePassword: async () => false,
  findCredentials: async () => [],
};

export function createCoreRig(options: RigOptions): CoreRig {
  const { clock, service } = options;
  const shown: NotificationRequest[] = [];
  const withdrawn: string[] = [];
  const pushes: NumberedChanges[] = [];
  const alertings: Alerting[] = [];
  const sounds: { id: string; name: string }[] = [];
  const logged: CoreRig['logged'] = [];
  const keep = (level: string) => (fields: object, message: string) => void logged.push({ level, message, fields });
  let settings = options.settings ?? DEFAULT_SETTINGS;
  const followers = new Set<() => void>();
  const rig = {
    get settings() {
      return settings;
    },
    set settings(changed: Settings) {
      settings = changed;
      for (const follower of followers) follower();
    },
  };
  const profile: Profile = {
    ...DEFAULT_SETTINGS.profiles[0],
    name: 'sandbox',
    environment: 'sandbox',
    baseUrl: null,
    mode: 'auto',
    enabled: true,
    ...options.profile,
  };
  const core = createRestartingMonitor({
    ports: {
      clock,
      random: options.random ?? (() => 0.5),
      fetch: service.fetch,
      vault: noVault,
      notifier: {
        async show(request) {
          shown.push(request);
          return options.show === undefined ? { tier: 'system', detail: plainMessage('taken') } : options.show(request);
        },
        status: () => ({ tier: 'system', detail: plainMessage('test') }),
        withdraw: (id) => void withdrawn.push(id),
        ...(options.history === undefined ? {} : { history: options.history }),
      },
      logger: { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') },
      settings: {
        read: () => rig.settings,
        change: (job) => {
          rig.settings = job(rig.settings);
        },
        onChange(follower) {
          followers.add(follower);
          return () => void followers.delete(follower);
        },
      },
      ...options.ports,
    },
    folder: options.folder ?? ':memory:',
    profile,
    source:
      options.source ??
      serviceAt({
        baseUrl: options.baseUrl ?? service.url,
        key: options.key === undefined ? service.key : options.key,
      }),
    label: plainMessage('test'),
    ...(options.keys === undefined ? {} : { keys: options.keys }),
    ...(options.ledger === undefined ? {} : { ledger: options.ledger }),
  });
  const detach = core.attach({
    push(name, payload) {
      if (name === 'alerting.changed') alertings.push(AlertingSchema.parse(payload));
      else if (name === 'sound.due') sounds.push(payload as (typeof sounds)[number]);
      else if (name === 'state.changed') pushes.push(NumberedChangesSchema.parse(payload));
    },
  });
  return Object.assign(rig, {
    core,
    shown,
    withdrawn,
    pushes,
    alertings,
    sounds,
    logged,
    detach,
    snapshot: () => SnapshotSchema.parse(core.handlers['state.snapshot']({})),
  });
}
