// Renderer, profiles: the dialog that tries and keeps a user's key for live prices of shares.
// The key is of the user's account at the vendor.
import { useRef, useState } from 'react';
import { useFormState } from 'react-hook-form';
import { z } from 'zod';
import type { OutputOf } from '../../../shared/channels/ends.ts';
import type { ProfileChannels } from '../../../shared/channels/profiles.ts';
import { FEED_LABELS, FEED_SYMBOLS, KEYED_FEEDS, type KeyedFeed } from '../../../shared/domain/price-feeds.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SegmentedField, TextField } from '../../ui/form/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form/form.tsx';
import { checkText, symbolsIn } from '../../ui/form/schemas.ts';
import { CheckList } from './checks.tsx';
import { KeepFeedForm, NothingToKeep, type SavedProfile } from './keep-profile-form.tsx';
import { useProfiles } from './open-profile.ts';
import { AddedFoot, AddedStep, Step, takeFocus } from './step.tsx';

const messages = texts.profiles.shares;
const MAX_SYMBOLS = 500;

type FeedTest = OutputOf<ProfileChannels['profiles.test_feed']>;

interface TestedFeed {
  readonly feed: KeyedFeed;
  readonly result: FeedTest;
}

export function FollowShares({ onClose }: { readonly onClose: () => void }) {
  const profiles = useProfiles();
  const [test, setTest] = useState<TestedFeed | null>(null);
  const [saved, setSaved] = useState<SavedProfile | null>(null);
  const result = test?.result ?? null;
  return (
    <Dialog heading={messages.act} className="steps" onClose={onClose}>
      <p className="steps-why">{messages.why}</p>
      <p className="steps-why">{messages.terms}</p>
      <AccountForm result={result} onResult={setTest} />
      <Step number={2} heading={messages.tryIt} why={texts.addKey.tryWhy} state={stateOf(result)}>
        {result !== null && <CheckList checks={result.checks} />}
      </Step>
      {saved !== null ? (
        <>
          <AddedStep number={3} name={saved.name}>
            {saved.warning !== null && (
              <p role="status" className="form-warning">
                {textOf(saved.warning)}
              </p>
            )}
          </AddedStep>
          <AddedFoot name={saved.name} environment="production" onClose={onClose} />
        </>
      ) : profiles !== null && test !== null && test.result.draft !== null ? (
        <KeepFeedForm
          key={test.result.draft}
          draft={test.result.draft}
          stem={test.feed}
          profiles={profiles}
          onSaved={setSaved}
          onClose={onClose}
        />
      ) : (
        <NothingToKeep note={messages.foot} onClose={onClose} />
      )}
    </Dialog>
  );
}

const stateOf = (result: FeedTest | null): 'off' | 'on' | 'done' =>
  result === null ? 'off' : result.checks.every(({ outcome }) => outcome === 'good') ? 'done' : 'on';

const accountSchema = z.object({
  feed: z.enum(KEYED_FEEDS),
  id: checkText((text) => (/^\S+$/.test(text) ? null : messages.noId)),
  secret: checkText((text) => (/^\S+$/.test(text) ? null : messages.noSecret)),
  symbols: z.string().transform((text, context) => {
    const { good, wrong } = symbolsIn(text);
    const [first] = wrong;
    const problem =
      first !== undefined ? messages.noSymbol(first) : good.length > MAX_SYMBOLS ? messages.tooMany : null;
    if (problem === null) return [...good];
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  }),
});

interface AccountFormProps {
  readonly result: FeedTest | null;
  /** null: the form has changed since the test. */
  readonly onResult: (test: { readonly feed: KeyedFeed; readonly result: FeedTest } | null) => void;
}

function AccountForm({ result, onResult }: AccountFormProps) {
  const { intents } = useServices();
  const [first] = KEYED_FEEDS;
  const form = useSchemaForm(accountSchema, { defaultValues: { feed: first, id: '', secret: '', symbols: '' } });
  const { control } = form;
  const { isSubmitting } = useFormState({ control });
  const edits = useRef(0);
  const tryIt = async ({ feed, id, secret, symbols }: z.output<typeof accountSchema>) => {
    const before = edits.current;
    const answer = await intents.ask('profiles.test_feed', { feed, key: `${id.trim()}:${secret.trim()}`, symbols });
    // The user changed the form during the test.
    if (edits.current !== before) return undefined;
    if (!answer.ok) return answer;
    onResult({ feed, result: answer.value });
    // The window forgets the key once it was sent.
    form.resetField('secret');
    return answer;
  };
  const replace = (): void => {
    edits.current += 1;
    onResult(null);
  };
  return (
    <Step number={1} heading={messages.account} why={messages.accountWhy} state={result === null ? 'on' : 'done'}>
      <Form form={form} onSubmit={tryIt} refusalAt="id">
        {KEYED_FEEDS.length > 1 && (
          <SegmentedField
            control={control}
            name="feed"
            label={messages.vendor}
            options={KEYED_FEEDS.map((value) => ({ value, label: FEED_LABELS[value] }))}
            onEdit={replace}
          />
        )}
        <TextField control={control} name="id" label={messages.id} className="mono" maxLength={128} onEdit={replace} />
        {result === null ? (
          <TextField
            control={control}
            name="secret"
            label={messages.secret}
            type="password"
            className="mono"
            maxLength={256}
            onEdit={replace}
          />
        ) : (
          <div className="form-row">
            <span className="mono">•••• •••• {result.ending}</span>
            <button ref={takeFocus} type="button" className="btn line" onClick={replace}>
              {texts.addKey.replace}
            </button>
          </div>
        )}
        <TextField
          control={control}
          name="symbols"
          label={messages.symbols}
          className="mono"
          maxLength={8_000}
          placeholder={FEED_SYMBOLS[first].slice(0, 8).join(' ')}
          onEdit={replace}
        />
        <p className="t3">{messages.symbolsWhy(FEED_SYMBOLS[first].length)}</p>
        {result === null && (
          <div className="form-row">
            <button type="submit" className="btn primary" aria-disabled={isSubmitting}>
              {messages.tryAct}
            </button>
            <span role="status" className="t2">
              {isSubmitting && messages.trying}
            </span>
          </div>
        )}
      </Form>
    </Step>
  );
}
