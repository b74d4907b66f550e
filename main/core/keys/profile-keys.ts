// Main, core: the key of one profile: loaded late, read back when saved, of the right environment.
import { type Asker, checkService } from '../../../client/address.ts';
import { readDashboardAddress } from '../../../client/dashboard.ts';
import { RefusedError, refused } from '../../../shared/channels/channel.ts';
import { KEY_TIERS, type KeyState, type KeyTier } from '../../../shared/channels/keys.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { joinedMessages, type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { isDashboardSession } from '../../../shared/wire/dashboard.ts';
import { checksumHolds, KEY_ROTATION_DAYS, keyEnding, keyEnvironment } from '../../../shared/wire/keys.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { SettingsStore } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import { type CurrentKey, createCurrentKey, type KeyLookup, prefixOf } from './current-key.ts';
import type { KeyProbe } from './key-probe.ts';
import { type KeyStore, store, tierLabel } from './key-store.ts';
import type { KeyInUse } from './keyed-client.ts';
import { API_KEY_ACCOUNT } from './session-vault.ts';
import { VaultError, vaultMessage } from './vault-error.ts';

/** The message about a success; `warning` is shown beside it. */
export interface Confirmation {
  readonly message: Message;
  readonly warning: Message | null;
}
/** misfit: the input cannot be used. vault: the storage failed. */
export interface KeyProblem {
  readonly kind: 'misfit' | 'vault';
  readonly message: Message;
}
type Outcome = Promise<Result<Confirmation, KeyProblem>>;

export interface ProfileKeys {
  /** Asks the vault, if a key was saved. Never throws; `state` has the result. */
  load(): Promise<void>;
  inUse(): KeyInUse;
  /** True where a key was saved but the vault did not give it. Reads no file. */
  hasFailed(): boolean;
  /** True where the vault was locked at the lookup and is open now: another profile got the passphrase. */
  isUnlocked(): boolean;
  /** The address of a profile's service, for display, with the last characters of its key. */
  label(): Message;
  state(): KeyState;
  /** @param request.accepted the previous key remains unless the service accepts this one now */
  set(request: {
    readonly key: string;
    readonly tier?: KeyTier;
    readonly passphrase?: string;
    readonly accepted?: boolean;
  }): Outcome;
  /**
   * @param isLost the passphrase of the vault is lost: the profile leaves its items there, where nothing reads
   *   them any more
   */
  forget(isLost?: boolean): Outcome;
  move(request: { readonly tier: KeyTier; readonly passphrase?: string }): Outcome;
  unlock(passphrase: string): Outcome;
  /** Called after every change of `inUse`. */
  onChange(listener: () => void): void;
}

export interface ProfileKeysOptions {
  readonly profile: Profile;
  readonly keyStore: KeyStore;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** BAROGRAPH_KEY: used for this run instead of the stored key. */
  readonly runKey: string | null;
  /** Tries a key at the service; a refused key replaces none. */
  readonly probe: KeyProbe;
  /** The session of a dashboard, from its one-time link. @throws RefusedError */
  readonly session: (link: string) => Promise<string>;
}

export function createProfileKeys(options: ProfileKeysOptions): ProfileKeys {
  const { profile, keyStore, clock, platform, probe } = options;
  const { name, environment } = profile;
  const asker: Asker = { name: `profile ${name}`, environment };
  const current = createCurrentKey(options);
  const runExclusive = createJobQueue();
  /** Opens a passphrase vault before the first write. */
  const open = async (tier: KeyTier, passphrase: string | undefined): Promise<void> => {
    if (tier === 'passphrase' && passphrase !== undefined) await keyStore.passphrase.unlock(passphrase);
  };

  return {
    load: current.load,
    inUse() {
      const { key, problem } = current.lookup();
      return { key, reason: problem };
    },
    hasFailed: () => current.lookup().status === 'failed',
    isUnlocked: () => current.lookup().status === 'locked' && !keyStore.passphrase.isLocked(),
    label: () => sourceLabel(profile, current.lookup().key),
    state: () => stateOf(current, options),
    set({ key: given, tier: requestedTier, passphrase, accepted = false }) {
      const text = given.trim();
      const misfit = misfitOf(profile, text, asker);
      if (misfit !== null) return Promise.resolve(err({ kind: 'misfit', message: misfit }));
      return runExclusive(async () => {
        const key = profile.mode === 'proxy' ? await options.session(text) : text;
        const before = current.record();
        const tier = requestedTier ?? before.tier;
        await open(tier, passphrase);
        const probed = await probe(key);
        if (probed.outcome === 'refused') throw refused(message('key.refused', { why: probed.message }));
        if (accepted && probed.outcome === 'untried')
          throw refused(message('key.untried_unchanged', { why: probed.message }));
        await store(keyStore.at(tier), { service: name, account: API_KEY_ACCOUNT, password: key });
        current.saved(key, tier);
        const left =
          before.tier === tier || (before.saved_at === null && (await isEmptyAt(keyStore, name, before.tier)))
            ? null
            : await keyStore
                .copy(name, before.tier, tier, API_KEY_ACCOUNT)
                .then(() => keyStore.clear(name, before.tier))
                .then(() => null, vaultMessage);
        return {
          message: message(tier === 'session' ? 'key.saved_session' : 'key.saved', {
            name,
            tier: tierLabel(tier, platform),
          }),
          warning: joined([
            leftAt(tierLabel(before.tier, platform), left),
            ...(probed.outcome === 'untried'
              ? [message('key.not_tried', { why: probed.message }), profile.baseUrl === null ? null : oddity(key)]
              : []),
          ]),
        };
      });
    },
    forget: (isLost = false) =>
      runExclusive(async () => {
        const { tier } = current.record();
        if (isLost && tier === 'passphrase' && keyStore.passphrase.isLocked()) {
          current.forgotten(KEY_TIERS[0]);
          keyStore.abandonUnused();
          return { message: message('key.abandoned', { name }), warning: null };
        }
        const had = await keyStore.at(tier).deletePassword(name, API_KEY_ACCOUNT);
        current.forgotten(tier);
        return {
          message: had
            ? message('key.forgotten', { name })
            : message('key.absent', { name, tier: tierLabel(tier, platform) }),
          warning: null,
        };
      }),
    move: ({ tier, passphrase }) =>
      runExclusive(async () => {
        const before = current.record();
        const label = tierLabel(tier, platform);
        if (before.tier === tier)
          return { message: message('key.already_there', { name, tier: label }), warning: null };
        await open(tier, passphrase);
        const isEmpty = before.saved_at === null && (await isEmptyAt(keyStore, name, before.tier));
        if (!isEmpty) await keyStore.copy(name, before.tier, tier);
        const since =
          before.saved_at ?? (current.lookup().key === null || current.isRunKey() ? null : timestamp(clock.now()));
        current.write({ ...before, tier, saved_at: tier === 'session' ? null : since });
        const left = isEmpty ? null : await keyStore.clear(name, before.tier).then(() => null, vaultMessage);
        const warning = leftAt(tierLabel(before.tier, platform), left);
        return { message: message('key.moved', { name, tier: label }), warning };
      }),
    unlock: (passphrase) =>
      runExclusive(async () => {
        await keyStore.passphrase.unlock(passphrase);
        if (current.record().tier === 'passphrase') await current.load();
        return { message: message('vault.unlocked'), warning: null };
      }),
    onChange: current.onChange,
  };
}

function sourceLabel({ baseUrl, name }: Profile, key: string | null): Message {
  const host = URL.parse(baseUrl ?? '')?.host ?? name;
  return key === null
    ? message('source.without_key', { host })
    : message('source.with_key', { host, ending: keyEnding(key) });
}

/** One job at a time: two windows must not save concurrently. A vault's refusal becomes a message. */
function createJobQueue(): (job: () => Promise<Confirmation>) => Outcome {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const done = last.then(job).then(ok, (error: unknown) => err(keyProblemOf(error)));
    last = done.catch(() => undefined);
    return done;
  };
}

function keyProblemOf(error: unknown): KeyProblem {
  if (error instanceof RefusedError) return { kind: 'misfit', message: error.refusal.message };
  if (!(error instanceof VaultError)) throw error;
  // The message names the alternatives; the user chooses.
  const advice = error.kind === 'unavailable' ? message('key.elsewhere') : null;
  return { kind: 'vault', message: joinedMessages(error.reason, advice) };
}

function misfitOf({ name, baseUrl, mode, feed }: Profile, key: string, asker: Asker): Message | null {
  // The vendor of the prices decides about the form of its keys.
  if (baseUrl === null && feed !== undefined) return key === '' ? message('key.none') : null;
  if (baseUrl === null) return message('key.not_needed', { name });
  if (mode === 'proxy') {
    const link = readDashboardAddress(key);
    const isOurs = link?.token != null && link.proxy === readDashboardAddress(baseUrl)?.proxy;
    return isOurs || isDashboardSession(key) ? null : message('key.by_dashboard', { name });
  }
  const fit = checkService({ baseUrl, key }, asker);
  return fit.ok ? null : plainMessage(fit.error.message);
}

function stateOf(current: CurrentKey, { profile, clock, platform }: ProfileKeysOptions): KeyState {
  const stored = current.record();
  const found = current.lookup();
  const isRunKey = current.isRunKey();
  const age =
    stored.saved_at === null || isRunKey
      ? null
      : Math.max(0, Math.floor((clock.now() - Date.parse(stored.saved_at)) / DAY_MS));
  // Only keys of the service are rotated: a vendor has rules of its own.
  const limit = profile.baseUrl !== null && profile.environment === 'production' ? KEY_ROTATION_DAYS : null;
  const tier = isRunKey ? 'session' : stored.tier;
  const isDue = age !== null && limit !== null && age >= limit;
  return {
    status: found.status,
    tier,
    tier_label: tierLabel(tier, platform),
    message: messageFor(found, { tier: tierLabel(tier, platform), isRunKey, age: isDue ? age : null }),
    prefix: found.key === null ? stored.prefix : prefixOf(found.key),
    ending: found.key === null ? null : keyEnding(found.key),
    saved_at: isRunKey ? null : stored.saved_at,
    age_days: age,
    rotation_due: isDue,
  };
}

function joined([first = null, ...more]: readonly (Message | null)[]): Message | null {
  if (first !== null) return joinedMessages(first, ...more);
  return more.length === 0 ? null : joined(more);
}

/** The warning that a copy is left in a tier, and why; null without a reason. */
const leftAt = (tier: Message, why: Message | null): Message | null =>
  why === null ? null : message('key.left', { tier, why });

/** A tier that cannot be read has nothing to move. */
const isEmptyAt = (keyStore: KeyStore, profile: string, tier: KeyTier): Promise<boolean> =>
  keyStore
    .at(tier)
    .findCredentials(profile)
    .then(
      (items) => items.length === 0,
      () => true,
    );

/** A warning about an untried key with an unusual form; the service may accept it all the same. */
function oddity(key: string): Message | null {
  if (keyEnvironment(key) === null) return message('key.unknown_prefix');
  return checksumHolds(key) ? null : message('key.bad_checksum');
}

function messageFor(
  { status, problem }: KeyLookup,
  { tier, isRunKey, age }: { tier: Message; isRunKey: boolean; age: number | null },
): Message {
  if (problem !== null) return problem;
  if (status === 'none') return message('key.none');
  if (isRunKey) return message('key.of_run');
  return joinedMessages(message('key.kept', { tier }), age === null ? null : message('key.old', { days: age }));
}
