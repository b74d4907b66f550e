// Main, core: the key of one profile: read late, saved only when it was read back, refused when it is of the other environment.
import { type Asker, checkService } from '../../../client/address.ts';
import { type KeyState, type KeyTier, UNTRIED } from '../../../shared/channels/keys.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { err, messageOf, ok, type Result } from '../../../shared/lib/result.ts';
import { checksumHolds, type Environment, KEY_PREFIXES, keyEnding, keyEnvironment } from '../../../shared/wire/keys.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { API_KEY_ACCOUNT } from '../host/secrets.ts';
import type { SettingsStore } from '../ports.ts';
import type { KeyRecord, Profile } from '../profiles/settings.ts';
import type { KeyProbe } from './key-probe.ts';
import { type KeyRing, store, tierWords } from './key-ring.ts';
import type { KeyInUse } from './keyed-client.ts';
import { VaultError } from './vault-error.ts';

/** Days after which a key should be replaced; the specification asks for monthly or quarterly in production (5.7). */
const ROTATE_AFTER: Readonly<Record<Environment, number | null>> = { production: 90, sandbox: null };
const DAY = 86_400_000;

/** What is said when something was done; `warning` beside it. */
export interface Done {
  readonly words: string;
  readonly warning: string | null;
}
/** misfit: what was given cannot be used. vault: where it should be kept, nothing could be done. */
export interface KeyProblem {
  readonly kind: 'misfit' | 'vault';
  readonly message: string;
}
type Outcome = Promise<Result<Done, KeyProblem>>;

export interface ProfileKeys {
  /** Asks the vault, if a key was saved. Never throws; `state` says what came of it. */
  load(): Promise<void>;
  inUse(): KeyInUse;
  /** Where a profile listens, for people, with the last characters of its key. */
  label(where: string): string;
  state(): KeyState;
  /** @param wish.accepted the key before stays unless the service takes this one now */
  set(wish: {
    readonly key: string;
    readonly tier?: KeyTier;
    readonly passphrase?: string;
    readonly accepted?: boolean;
  }): Outcome;
  forget(): Outcome;
  move(wish: { readonly tier: KeyTier; readonly passphrase?: string }): Outcome;
  unlock(passphrase: string): Outcome;
  /** Told whenever `inUse` changed. */
  onChange(listener: () => void): void;
}

export interface ProfileKeysOptions {
  readonly profile: Profile;
  readonly ring: KeyRing;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** BAROGRAPH_KEY: used for this run instead of what is kept. */
  readonly runKey: string | null;
  /** Tries a key at the service; a key that it refuses takes nobody's place. */
  readonly probe: KeyProbe;
}

type Found = Pick<KeyState, 'standing'> & { readonly key: string | null; readonly problem: string | null };
const NOTHING: Found = { standing: 'none', key: null, problem: null };

export function createProfileKeys(options: ProfileKeysOptions): ProfileKeys {
  const { profile, ring, settings, clock, platform, runKey, probe } = options;
  const { name, environment, baseUrl } = profile;
  const asker: Asker = { name: `profile ${name}`, environment };
  let found: Found = runKey === null ? NOTHING : { standing: 'ready', key: runKey, problem: null };
  let isRunKey = runKey !== null;
  let tell: () => void = () => undefined;
  /** How often a key was set or forgotten. */
  let changes = 0;
  let last: Promise<unknown> = Promise.resolve();

  const record = (): KeyRecord => settings.read().profiles.find((one) => one.name === name)?.keys ?? UNSAVED;
  const write = (keys: KeyRecord): void => {
    ring.change((now) => ({
      ...now,
      profiles: now.profiles.map((one) => (one.name === name ? { ...one, keys } : one)),
    }));
  };
  const become = (next: Found): void => {
    const isSame = next.standing === found.standing && next.key === found.key && next.problem === found.problem;
    found = next;
    if (!isSame) tell();
  };
  /** One after the other: two windows must not save into each other. What a vault refuses comes back as words. */
  const inTurn = (job: () => Promise<Done>): Outcome => {
    const done = last.then(job).then(ok, (thrown: unknown) => {
      if (thrown instanceof RefusedKey) return err({ kind: 'misfit' as const, message: thrown.message });
      if (thrown instanceof VaultError)
        return err({
          kind: 'vault' as const,
          message: `${thrown.message}${thrown.kind === 'unavailable' ? ELSEWHERE : ''}`,
        });
      throw thrown;
    });
    last = done.catch(() => undefined);
    return done;
  };

  const load = async (): Promise<void> => {
    if (isRunKey || found.standing === 'pending') return;
    const { tier, saved_at } = record();
    if (saved_at === null && tier !== 'session') return become(NOTHING);
    const inUse = found.key;
    const asked = changes;
    if (inUse === null && tier !== 'session')
      become({
        standing: 'pending',
        key: null,
        problem: `The key is being asked for in ${tierWords(tier, platform)}.`,
      });
    try {
      const key = await ring.at(tier).getPassword(name, API_KEY_ACCOUNT);
      // Another key was set or this one forgotten while the vault was thinking: its answer is of yesterday.
      if (asked !== changes) return;
      if (key !== null) become({ standing: 'ready', key, problem: null });
      else become(saved_at === null ? NOTHING : { standing: 'failed', key, problem: gone(tier, saved_at, platform) });
    } catch (thrown) {
      // A key that is in use stays so; nobody said that it is another one.
      if (inUse !== null || asked !== changes) return;
      const isLocked = thrown instanceof VaultError && thrown.kind === 'locked';
      become({ standing: isLocked ? 'locked' : 'failed', key: null, problem: messageOf(thrown) });
    }
  };
  /** A vault under a passphrase is opened before anything is put into it. */
  const open = async (tier: KeyTier, passphrase: string | undefined): Promise<void> => {
    if (tier === 'passphrase' && passphrase !== undefined) await ring.passphrase.unlock(passphrase);
  };
  const saved = (key: string, tier: KeyTier): void => {
    const named = keyEnvironment(key);
    write({
      tier,
      saved_at: tier === 'session' ? null : timestamp(clock.now()),
      prefix: named === null ? '' : KEY_PREFIXES[named],
    });
    isRunKey = false;
    changes += 1;
    become({ standing: 'ready', key, problem: null });
  };

  return {
    load,
    inUse: () => ({ key: found.key, obstacle: found.problem }),
    label: (where) => `${where} · ${found.key === null ? 'no key' : `key …${keyEnding(found.key)}`}`,
    state() {
      const kept = record();
      const prefix = found.key === null ? kept.prefix : prefixOf(found.key);
      const age =
        kept.saved_at === null || isRunKey
          ? null
          : Math.max(0, Math.floor((clock.now() - Date.parse(kept.saved_at)) / DAY));
      const limit = ROTATE_AFTER[environment];
      const tier = isRunKey ? 'session' : kept.tier;
      const due = age !== null && limit !== null && age >= limit;
      return {
        standing: found.standing,
        tier,
        tier_words: tierWords(tier, platform),
        words: wordsOf(found, { tier: tierWords(tier, platform), isRunKey, age: due ? age : null }),
        prefix,
        ending: found.key === null ? null : keyEnding(found.key),
        saved_at: isRunKey ? null : kept.saved_at,
        age_days: age,
        rotation_due: due,
      };
    },
    set({ key: given, tier: wanted, passphrase, accepted = false }) {
      const key = given.trim();
      const misfit = whyNot(profile, key, asker);
      if (misfit !== null) return Promise.resolve(err({ kind: 'misfit', message: misfit }));
      return inTurn(async () => {
        const before = record();
        const tier = wanted ?? before.tier;
        await open(tier, passphrase);
        const tried = await probe(key);
        if (tried.outcome === 'refused')
          throw new RefusedKey(`The service does not accept this key. ${tried.words} Nothing was changed.`);
        if (accepted && tried.outcome === 'untried')
          throw new RefusedKey(`${UNTRIED} ${tried.words} Nothing was changed; the key before is still in use.`);
        await store(ring.at(tier), { service: name, account: API_KEY_ACCOUNT, password: key });
        saved(key, tier);
        const left =
          before.tier === tier || (before.saved_at === null && (await isEmptyAt(ring, name, before.tier)))
            ? null
            : await ring.carry(name, before.tier, tier, API_KEY_ACCOUNT).then(() => null, messageOf);
        return {
          words: `The key of ${name} is kept in ${tierWords(tier, platform)}${tier === 'session' ? '' : ', and was read back from there'}.`,
          warning:
            [
              ...(left === null
                ? []
                : [`What was kept in ${tierWords(before.tier, platform)} is still there: ${left}`]),
              ...(tried.outcome === 'untried' ? [`It was not tried: ${tried.words}`, ...oddities(key)] : []),
            ].join(' ') || null,
        };
      });
    },
    forget: () =>
      inTurn(async () => {
        const { tier } = record();
        const had = await ring.at(tier).deletePassword(name, API_KEY_ACCOUNT);
        write({ tier, saved_at: null, prefix: null });
        isRunKey = false;
        changes += 1;
        become(NOTHING);
        return {
          words: had
            ? `The key of ${name} is forgotten.`
            : `There was no key of ${name} in ${tierWords(tier, platform)}.`,
          warning: null,
        };
      }),
    move: ({ tier, passphrase }) =>
      inTurn(async () => {
        const before = record();
        if (before.tier === tier)
          return { words: `The keys of ${name} are kept in ${tierWords(tier, platform)} already.`, warning: null };
        await open(tier, passphrase);
        const isEmpty = before.saved_at === null && (await isEmptyAt(ring, name, before.tier));
        if (!isEmpty) await ring.carry(name, before.tier, tier);
        const since = before.saved_at ?? (found.key === null || isRunKey ? null : timestamp(clock.now()));
        write({ ...before, tier, saved_at: tier === 'session' ? null : since });
        return { words: `The keys of ${name} are kept in ${tierWords(tier, platform)} from now on.`, warning: null };
      }),
    unlock: (passphrase) =>
      inTurn(async () => {
        await ring.passphrase.unlock(passphrase);
        if (record().tier === 'passphrase') await load();
        return { words: 'The passphrase vault is open for this run.', warning: null };
      }),
    onChange(listener) {
      tell = listener;
    },
  };

  function whyNot({ mode }: Profile, key: string, who: Asker): string | null {
    if (baseUrl === null) return `${name} listens to the service inside the app, which has a key of its own.`;
    if (mode === 'proxy')
      return `${name} goes through a dashboard, which signs by itself: no key is sent, so none is kept.`;
    const fit = checkService({ baseUrl, key }, who);
    return fit.ok ? null : fit.error.message;
  }
}

/** The way down is the user's to choose. */
const ELSEWHERE =
  ' Nothing was changed. Keys can also be kept in a file under a passphrase (passphrase) or for this session only (session).';
/** The service said no. */
class RefusedKey extends Error {}

const UNSAVED: KeyRecord = { tier: 'keychain', saved_at: null, prefix: null };

/** A tier that cannot be asked holds nothing that could be carried. */
const isEmptyAt = (ring: KeyRing, profile: string, tier: KeyTier): Promise<boolean> =>
  ring
    .at(tier)
    .findCredentials(profile)
    .then(
      (items) => items.length === 0,
      () => true,
    );

function prefixOf(key: string): string {
  const named = keyEnvironment(key);
  return named === null ? '' : KEY_PREFIXES[named];
}

/** What is odd about a key that nobody could try: it may be right all the same, since the service decides. */
function oddities(key: string): string[] {
  if (keyEnvironment(key) === null)
    return ['Its prefix is not known here, so nothing says whether it is for sandbox or production.'];
  return checksumHolds(key)
    ? []
    : ['Its checksum does not fit an issued key: if it was typed by hand, compare it once more.'];
}

const gone = (tier: KeyTier, savedAt: string, platform: NodeJS.Platform): string =>
  `The key was saved in ${tierWords(tier, platform)} on ${savedAt.slice(0, 10)} and is not there any more; another keyring may have taken over. Set it again.`;

function wordsOf(
  { standing, problem }: Found,
  { tier, isRunKey, age }: { tier: string; isRunKey: boolean; age: number | null },
): string {
  if (problem !== null) return problem;
  if (standing === 'none') return 'No key is saved.';
  if (isRunKey) return 'The key comes from BAROGRAPH_KEY and is used for this run only.';
  const kept = `The key is kept in ${tier}.`;
  return age === null
    ? kept
    : `${kept} It is ${age} days old: ask the service for another one, set it here, then revoke the old one.`;
}
