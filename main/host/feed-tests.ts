// Main, host: tests a feed with a key before it becomes a profile.
// The key stays here; the window gets the name of a draft.
import type { InputOf, OutputOf } from '../../shared/channels/ends.ts';
import type { Check, ProfileChannels } from '../../shared/channels/profiles.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { keyEnding } from '../../shared/wire/keys.ts';
import { createDraftStore } from '../core/profiles/draft-store.ts';
import type { FeedChecker, FeedFinding } from './embedded-service.ts';

export type FeedDraft = InputOf<ProfileChannels['profiles.test_feed']>;

export interface FeedTests {
  run(request: FeedDraft): Promise<OutputOf<ProfileChannels['profiles.test_feed']>>;
  /** @throws RefusedError for an unknown draft */
  draft(name: string): FeedDraft;
  /** Discards every draft. */
  forget(): void;
}

export function createFeedTests(checkFeed: FeedChecker, clock: Clock): FeedTests {
  const drafts = createDraftStore<FeedDraft>(clock);
  return {
    async run(given) {
      drafts.forget();
      const request = { ...given, key: given.key.trim() };
      const findings = await checkFeed({ name: request.feed, symbols: request.symbols }, request.key);
      const isRefused = findings.some(({ of, isRight }) => of === 'key' && !isRight);
      return {
        draft: isRefused ? null : drafts.keep(request),
        ending: keyEnding(request.key),
        checks: findings.map(checkOf),
      };
    },
    draft: drafts.find,
    forget: drafts.forget,
  };
}

const checkOf = ({ of, isRight, text }: FeedFinding): Check => ({
  of,
  outcome: isRight ? 'good' : 'bad',
  message: plainMessage(text),
  detail: null,
});
