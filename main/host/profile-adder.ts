// Main, host: adds a profile of a service elsewhere, own prices, live prices or a simulated market.
import { refused } from '../../shared/channels/channel.ts';
import type { InputOf, OutputOf } from '../../shared/channels/ends.ts';
import type { ProfileChannels } from '../../shared/channels/profiles.ts';
import { type SourceList, sourceListId, withoutSourceList, withSourceList } from '../../shared/domain/watchlists.ts';
import type { PriceFeedSettings } from '../../shared/settings/profiles.ts';
import { type Message, message, plainMessage } from '../../shared/text/message.ts';
import type { ProfileKeys } from '../core/keys/profile-keys.ts';
import type { SettingsStore } from '../core/ports.ts';
import type { ConnectionTests } from '../core/profiles/connection-test.ts';
import { type Profile, ProfileSchema } from '../core/profiles/settings.ts';
import type { PriceChecker } from './embedded-service.ts';
import { listOf, ofFeed } from './feed-profile.ts';
import type { FeedTests } from './feed-tests.ts';
import { FOLDER_SECTION } from './folder-symbols.ts';
import type { OpenOptions } from './profile-runtime.ts';

type Source = InputOf<ProfileChannels['profiles.add']>['source'];
type RemoteSource = Extract<Source, { kind: 'remote' }>;
type PriceSource = Extract<Source, { kind: 'prices' }>;
type KeyedFeedSource = Extract<Source, { kind: 'keyed_feed' }>;
type ScenarioSource = Extract<Source, { kind: 'simulated' }>;
type Added = OutputOf<ProfileChannels['profiles.add']>;

export type ProfileAdder = (name: string, source: Source) => Promise<Added>;
export type Prepare = NonNullable<OpenOptions['prepare']>;

export interface ProfileAdderDeps {
  readonly settings: Pick<SettingsStore, 'read' | 'change'>;
  readonly connectionTests: Pick<ConnectionTests, 'draft' | 'forget'>;
  readonly feedTests: Pick<FeedTests, 'draft' | 'forget'>;
  readonly checkPrices: PriceChecker;
  /** Adds a profile and opens it; where it cannot be opened, adds none. @throws RefusedError */
  readonly add: (profile: Profile, prepare?: Prepare) => Promise<void>;
}

export function createProfileAdder(deps: ProfileAdderDeps): ProfileAdder {
  const { settings, connectionTests, feedTests, checkPrices, add } = deps;
  const addRemote = async (name: string, { draft, tier, passphrase, states }: RemoteSource): Promise<Added> => {
    const { environment, url, mode, key } = connectionTests.draft(draft);
    let warning: Message | null = null;
    const given = { name, environment, baseUrl: url, mode, enabled: true, ...(states === undefined ? {} : { states }) };
    await add(profileOf(given), async (keys: ProfileKeys) => {
      if (key !== null) warning = await storeKey(keys, key, { tier, passphrase });
    });
    connectionTests.forget();
    return { warning };
  };
  /** Adds the list before the core begins, so that rules apply to its symbols from the first event on. */
  const addListed = async (profile: Profile, list: SourceList, prepare?: Prepare): Promise<void> => {
    const before = settings.read().watchlists.map(({ id }) => id);
    settings.change((now) => ({ ...now, watchlists: withSourceList(now.watchlists, list) }));
    await add(profile, prepare).catch((error: unknown) => {
      const id = sourceListId(list.name);
      if (!before.includes(id))
        settings.change((now) => ({ ...now, watchlists: withoutSourceList(now.watchlists, list.name) }));
      throw error;
    });
  };
  const addPrices = async (name: string, { kind: _, ...source }: PriceSource): Promise<Added> => {
    const report = await checkPrices(source);
    if (report.refused !== null) throw refused(plainMessage(report.refused));
    const { folder, editorial, events } = report;
    const prices = { ...source, folder, editorial, ...(events === undefined ? {} : { events }) };
    const selected = report.symbols.includes(settings.read().selected ?? '') ? undefined : report.symbols[0];
    const given = { baseUrl: null, mode: 'auto', enabled: true, prices, ...(selected && { selected }) } as const;
    await addListed(profileOf({ name, environment: 'production', ...given }), {
      name,
      section: FOLDER_SECTION,
      symbols: report.symbols,
    });
    return { warning: null };
  };

  const addFeed = (name: string, feed: PriceFeedSettings, prepare?: Prepare): Promise<void> =>
    addListed(profileOf({ name, ...ofFeed(feed) }), listOf(name, feed), prepare);
  const addKeyedFeed = async (name: string, { draft, tier, passphrase }: KeyedFeedSource): Promise<Added> => {
    const { feed, key, symbols } = feedTests.draft(draft);
    let warning: Message | null = null;
    await addFeed(name, { name: feed, ...(symbols.length === 0 ? {} : { symbols }) }, async (keys) => {
      warning = await storeKey(keys, key, { tier, passphrase });
    });
    feedTests.forget();
    return { warning };
  };
  const addScenario = async (name: string, { scenario }: ScenarioSource): Promise<Added> => {
    await add(profileOf({ name, environment: 'sandbox', baseUrl: null, mode: 'auto', enabled: true, scenario }));
    return { warning: null };
  };
  return (name, source) => {
    switch (source.kind) {
      case 'remote':
        return addRemote(name, source);
      case 'prices':
        return addPrices(name, source);
      case 'feed':
        return addFeed(name, { name: source.feed }).then(() => ({ warning: null }));
      case 'keyed_feed':
        return addKeyedFeed(name, source);
      case 'simulated':
        return addScenario(name, source);
    }
  };
}

/**
 * Validates the profile by the schema of the settings file, which has more rules than that of the channel.
 */
function profileOf(given: Profile): Profile {
  const profile = ProfileSchema.safeParse(given);
  if (profile.success) return profile.data;
  const [issue] = profile.error.issues;
  throw refused(issue === undefined ? message('profile.invalid') : plainMessage(issue.message));
}

/** @returns a warning for the user about the key's storage; null: none. @throws RefusedError */
async function storeKey(
  keys: ProfileKeys,
  key: string,
  { tier, passphrase }: Pick<RemoteSource, 'tier' | 'passphrase'>,
): Promise<Message | null> {
  const saved = await keys.set({
    key,
    ...(tier === null ? {} : { tier }),
    ...(passphrase === null ? {} : { passphrase }),
  });
  if (!saved.ok) throw refused(saved.error.message);
  return saved.value.warning;
}
