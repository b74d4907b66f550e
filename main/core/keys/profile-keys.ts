// Main, core: the key of one profile: loaded late, read back when saved, of the right environment.
import { type Asker, checkService } from '../../../client/address.ts';
import { type KeyState, type KeyTier, UNTRIED } from '../../../shared/channels/keys.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { err, messageOf, ok, type Result } from '../../../shared/lib/result.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { checksumHolds, type Environment, keyEnding, keyEnvironment } from '../../../shared/wire/keys.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { SettingsStore } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import { type CurrentKey, createCurrentKey, type KeyLookup, prefixOf } from './current-key.ts';
import type { KeyProbe } from './key-probe.ts';
import { type KeyStore, store, tierLabel } from './key-store.ts';
import type { KeyInUse } from './keyed-client.ts';
import { API_KEY_ACCOUNT } from './session-vault.ts';
import { VaultError } from './vault-error.ts';

/** Days after which a key should be replaced: monthly or quarterly in production. */
const ROTATE_AFTER: Readonly<Record<Environment, number | null>> = { production: 90, sandbox: null };

/** The message about a success; `warning` is shown beside it. */
export interface Confirmation {
  readonly message: string;
  readonly warning: string | null;
}
/** misfit: the input cannot be used. vault: the storage failed. */
export interface KeyProblem {
  readonly kind: 'misfit' | 'vault';
  readonly message: string;
}
type Outcome = Promise<Result<Confirmation, KeyProblem>>;

export interface ProfileKeys {
  /** Asks the vault, if a key was saved. Never throws; `state` has the result. */
  load(): Promise<void>;
  inUse(): KeyInUse;
  /** The address of a profile's service, for display, with the last characters of its key. */
  label(where: string): string;
  state(): KeyState;
  /** @param request.accepted the previous key remains unless the service accepts this one now */
  set(request: {
    readonly key: string;
    readonly tier?: KeyTier;
    readonly passphrase?: string;
    readonly accepted?: boolean;
  }): Outcome;
  forget(): Outcome;
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
}

export function createProfileKeys(options: ProfileKeysOptions): ProfileKeys {
  const { profile, keyStore, clock, platform, probe } = options;
  const { name, environment } = profile;
  const asker: Asker = { name: `profile ${name}`, environment };
  const current = createCurrentKey(options);
  let last: Promise<unknown> = Promise.resolve();

  /** One job at a time: two windows must not save concurrently. A vault's refusal becomes a message. */
  const runExclusive = (job: () => Promise<Confirmation>): Outcome => {
    const done = last.then(job).then(ok, (error: unknown) => {
      if (error instanceof RefusedKeyError) return err({ kind: 'misfit' as const, message: error.message });
      if (error instanceof VaultError)
        return err({
          kind: 'vault' as const,
          message: `${error.message}${error.kind === 'unavailable' ? ELSEWHERE : ''}`,
        });
      throw error;
    });
    last = done.catch(() => undefined);
    return done;
  };

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
    label(where) {
      const { key } = current.lookup();
      return `${where} · ${key === null ? 'no key' : `key …${keyEnding(key)}`}`;
    },
    state: () => stateOf(current, options),
    set({ key: given, tier: requestedTier, passphrase, accepted = false }) {
      const key = given.trim();
      const misfit = misfitOf(profile, key, asker);
      if (misfit !== null) return Promise.resolve(err({ kind: 'misfit', message: misfit }));
      return runExclusive(async () => {
        const before = current.record();
        const tier = requestedTier ?? before.tier;
        await open(tier, passphrase);
        const probed = await probe(key);
        if (probed.outcome === 'refused')
          throw new RefusedKeyError(`The service does not accept this key. ${probed.message} Nothing was changed.`);
        if (accepted && probed.outcome === 'untried')
          throw new RefusedKeyError(
            `${UNTRIED} ${probed.message} Nothing was changed; the key before is still in use.`,
          );
        await store(keyStore.at(tier), { service: name, account: API_KEY_ACCOUNT, password: key });
        current.saved(key, tier);
        const left =
          before.tier === tier || (before.saved_at === null && (await isEmptyAt(keyStore, name, before.tier)))
            ? null
            : await keyStore.move(name, before.tier, tier, API_KEY_ACCOUNT).then(() => null, messageOf);
        return {
          message: `The key of ${name} is kept in ${tierLabel(tier, platform)}${tier === 'session' ? '' : ', and was read back from there'}.`,
          warning:
            [
              ...(left === null
                ? []
                : [`What was kept in ${tierLabel(before.tier, platform)} is still there: ${left}`]),
              ...(probed.outcome === 'untried' ? [`It was not tried: ${probed.message}`, ...oddities(key)] : []),
            ].join(' ') || null,
        };
      });
    },
    forget: () =>
      runExclusive(async () => {
        const { tier } = current.record();
        const had = await keyStore.at(tier).deletePassword(name, API_KEY_ACCOUNT);
        current.forgotten(tier);
        return {
          message: had
            ? `The key of ${name} is forgotten.`
            : `There was no key of ${name} in ${tierLabel(tier, platform)}.`,
          warning: null,
        };
      }),
    move: ({ tier, passphrase }) =>
      runExclusive(async () => {
        const before = current.record();
        if (before.tier === tier)
          return { message: `The keys of ${name} are kept in ${tierLabel(tier, platform)} already.`, warning: null };
        await open(tier, passphrase);
        const isEmpty = before.saved_at === null && (await isEmptyAt(keyStore, name, before.tier));
        if (!isEmpty) await keyStore.move(name, before.tier, tier);
        const since =
          before.saved_at ?? (current.lookup().key === null || current.isRunKey() ? null : timestamp(clock.now()));
        current.write({ ...before, tier, saved_at: tier === 'session' ? null : since });
        return { message: `The keys of ${name} are kept in ${tierLabel(tier, platform)} from now on.`, warning: null };
      }),
    unlock: (passphrase) =>
      runExclusive(async () => {
        await keyStore.passphrase.unlock(passphrase);
        if (current.record().tier === 'passphrase') await current.load();
        return { message: 'The passphrase vault is open for this run.', warning: null };
      }),
    onChange: current.onChange,
  };
}

function misfitOf({ name, baseUrl, mode }: Profile, key: string, asker: Asker): string | null {
  if (baseUrl === null) return `${name} listens to the service inside the app, which has a key of its own.`;
  if (mode === 'proxy')
    return `${name} goes through a dashboard, which signs by itself: no key is sent, so none is kept.`;
  const fit = checkService({ baseUrl, key }, asker);
  return fit.ok ? null : fit.error.message;
}

function stateOf(current: CurrentKey, { profile, clock, platform }: ProfileKeysOptions): KeyState {
  const stored = current.record();
  const found = current.lookup();
  const isRunKey = current.isRunKey();
  const age =
    stored.saved_at === null || isRunKey
      ? null
      : Math.max(0, Math.floor((clock.now() - Date.parse(stored.saved_at)) / DAY_MS));
  const limit = ROTATE_AFTER[profile.environment];
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

/** The user chooses an alternative. */
const ELSEWHERE =
  ' Nothing was changed. Keys can also be kept in a file under a passphrase (passphrase) or for this session only (session).';
/** The service refused the key. */
class RefusedKeyError extends Error {}

/** A tier that cannot be read has nothing to move. */
const isEmptyAt = (keyStore: KeyStore, profile: string, tier: KeyTier): Promise<boolean> =>
  keyStore
    .at(tier)
    .findCredentials(profile)
    .then(
      (items) => items.length === 0,
      () => true,
    );

/** Unusual properties of an untried key: it may be valid all the same, since the service decides. */
function oddities(key: string): string[] {
  if (keyEnvironment(key) === null)
    return ['Its prefix is not known here, so nothing says whether it is for sandbox or production.'];
  return checksumHolds(key)
    ? []
    : ['Its checksum does not fit an issued key: if it was typed by hand, compare it once more.'];
}

function messageFor(
  { status, problem }: KeyLookup,
  { tier, isRunKey, age }: { tier: string; isRunKey: boolean; age: number | null },
): string {
  if (problem !== null) return problem;
  if (status === 'none') return 'No key is saved.';
  if (isRunKey) return 'The key comes from BAROGRAPH_KEY and is used for this run only.';
  const text = `The key is kept in ${tier}.`;
  return age === null
    ? text
    : `${text} It is ${age} days old: ask the service for another one, set it here, then revoke the old one.`;
}
