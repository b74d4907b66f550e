// Renderer, profiles: a profile by its address and key, in three steps: paste, try, keep. The key leaves the window once and is not seen again.
import { type FormEvent, useRef, useState } from 'react';
import type { ConnectionTest } from '../../../shared/channels/profiles.ts';
import { ProfileNameSchema } from '../../../shared/settings/profiles.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { useServices } from '../../services.ts';
import { dayAndYear } from '../../text/format.ts';
import { profileText } from '../../text/profiles.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { AddedFoot } from './added-foot.tsx';
import { Checks } from './checks.tsx';
import type { KeyTrace } from './clipboard.ts';
import { ClipboardLine } from './clipboard-line.tsx';
import { returnTo } from './dialog-request.ts';
import { KeyField, MaskedKey, whyNotKey } from './key-field.tsx';
import { useProfiles } from './open-profile.ts';
import { Step, takeFocus } from './step.tsx';
import { type KeyStorageChoice, keyStorageProblem, passphraseOf, TierChoice } from './tier-choice.tsx';
import { useConnectionTest } from './use-connection-test.ts';

const messages = profileText.key;
type Mode = keyof typeof messages.modes;
/** Age at which a production key should be replaced, ms. */
const ROTATE_AFTER = 90 * 86_400_000;

interface SavedProfile {
  readonly name: string;
  readonly warning: string | null;
}

export function AddKey({ environment: first, onClose }: { environment: Environment; onClose: () => void }) {
  const [environment, setEnvironment] = useState(first);
  const [saved, setSaved] = useState<SavedProfile | null>(null);
  const trace = useRef<KeyTrace | null>(null);
  const { forget, ...connectionTest } = useConnectionTest();
  const turnTo = (next: Environment): void => {
    setEnvironment(next);
    forget();
  };
  return (
    <Dialog heading={messages.heading[environment]} className="steps" returnTo={returnTo} onClose={onClose}>
      <p className="steps-why">{messages.why}</p>
      <Paste
        environment={environment}
        onEnvironment={turnTo}
        result={connectionTest.result}
        busy={connectionTest.busy}
        problem={connectionTest.problem}
        onTry={async ({ url, mode, key }) => {
          const trimmed = key.trim();
          const result = await connectionTest.run({
            environment,
            url,
            mode,
            key: mode === 'proxy' || trimmed === '' ? null : trimmed,
          });
          if (result?.ending != null)
            trace.current = { prefix: result.prefix ?? '', ending: result.ending, length: trimmed.length };
          return result !== null;
        }}
        onReplace={forget}
      />
      <Step
        number={2}
        heading={messages.tryIt}
        why={messages.tryWhy}
        state={testStepState(connectionTest.result, connectionTest.busy)}
      >
        <Checks connectionTest={connectionTest} onStop={connectionTest.stop} />
      </Step>
      {saved === null ? (
        <Keep
          key={connectionTest.result?.draft ?? ''}
          result={connectionTest.result}
          environment={environment}
          onSaved={setSaved}
          onClose={onClose}
        />
      ) : (
        <SavedStep
          saved={saved}
          ending={connectionTest.result?.ending ?? null}
          environment={environment}
          trace={trace.current}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface PasteProps {
  readonly environment: Environment;
  readonly onEnvironment: (environment: Environment) => void;
  readonly result: ConnectionTest | null;
  readonly busy: boolean;
  readonly problem: string | null;
  /** @returns whether anything was tried: from then on the key is behind this window */
  readonly onTry: (request: { readonly url: string; readonly mode: Mode; readonly key: string }) => Promise<boolean>;
  readonly onReplace: () => void;
}

function Paste({ environment, onEnvironment, result, busy, problem, onTry, onReplace }: PasteProps) {
  const [url, setUrl] = useState('');
  const [mode, setMode] = useState<Mode>('auto');
  const [key, setKey] = useState('');
  const [wrong, setWrong] = useState<{ readonly url: string | null; readonly key: string | null }>({
    url: null,
    key: null,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = { url: whyNotAddress(url), key: mode !== 'proxy' && key.trim() === '' ? messages.noKey : null };
    setWrong(found);
    if (busy || found.url !== null || found.key !== null || (mode !== 'proxy' && whyNotKey(key, environment) !== null))
      return;
    void onTry({ url: url.trim(), mode, key }).then((isTried) => {
      if (isTried) setKey('');
    });
  };
  const isSent = result !== null;
  return (
    <Step number={1} heading={messages.paste} why={messages.pasteWhy} state={isSent ? 'done' : 'on'}>
      <form onSubmit={submit}>
        <div className="form-row">
          <SegmentedControl
            label={messages.environment}
            options={[
              { value: 'production', label: messages.production },
              { value: 'sandbox', label: messages.sandbox },
            ]}
            value={environment}
            onChange={onEnvironment}
          />
          <SegmentedControl
            label={messages.access}
            options={(Object.keys(messages.modes) as Mode[]).map((value) => ({ value, label: messages.modes[value] }))}
            value={mode}
            onChange={(next) => {
              setMode(next);
              onReplace();
            }}
          />
        </div>
        <Field
          label={messages.address}
          inputMode="url"
          placeholder={messages.addressHint}
          value={url}
          problem={wrong.url ?? problem}
          onChange={(next) => {
            setUrl(next);
            setWrong({ ...wrong, url: null });
            if (isSent || problem !== null) onReplace();
          }}
        />
        {mode === 'proxy' ? (
          <p className="t2">{messages.dashboard}</p>
        ) : isSent && result.ending !== null ? (
          <div className="form-row">
            <MaskedKey prefix={result.prefix ?? ''} ending={result.ending} environment={environment} />
            <button ref={takeFocus} type="button" className="btn line" onClick={onReplace}>
              {messages.replace}
            </button>
          </div>
        ) : (
          <KeyField
            environment={environment}
            value={key}
            problem={wrong.key}
            onChange={(next) => {
              setKey(next);
              setWrong({ ...wrong, key: null });
            }}
          />
        )}
        {!isSent && (
          <div className="form-row">
            <button type="submit" className="btn primary" aria-disabled={busy}>
              {messages.tryIt}
            </button>
          </div>
        )}
      </form>
    </Step>
  );
}

/** A try that failed is not done. */
const testStepState = (result: ConnectionTest | null, busy: boolean): 'off' | 'on' | 'done' =>
  result === null ? (busy ? 'on' : 'off') : result.checks.every(({ outcome }) => outcome === 'good') ? 'done' : 'on';

/** Loopback by name or address: the only place where plain http is accepted. The core decides; this says it sooner. */
const HERE = /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/;

function whyNotAddress(text: string): string | null {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return messages.noAddress;
  return url.protocol === 'http:' && !HERE.test(url.hostname) ? messages.notHttps : null;
}

interface KeepProps {
  readonly result: ConnectionTest | null;
  readonly environment: Environment;
  readonly onSaved: (saved: SavedProfile) => void;
  readonly onClose: () => void;
}

function Keep({ result, environment, onSaved, onClose }: KeepProps) {
  const { intents, clock } = useServices();
  const profiles = useProfiles();
  const [name, setName] = useState(result?.name ?? '');
  const [keyStorage, setKeyStorage] = useState<KeyStorageChoice>({
    tier: profiles?.tiers[0]?.tier ?? 'keychain',
    passphrase: '',
  });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const draft = result?.draft ?? null;
  const hasKey = result?.ending != null;
  const storageProblem = hasKey && profiles !== null ? keyStorageProblem(keyStorage, profiles.vault) : null;
  const taken = profiles?.profiles.some((one) => one.name === name) === true;
  const wrongName =
    name === ''
      ? isTried
        ? messages.nameForm
        : null
      : taken
        ? messages.nameTaken(name)
        : ProfileNameSchema.safeParse(name).success
          ? null
          : messages.nameForm;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (draft === null || profiles === null || busy) return;
    setTried(true);
    if (wrongName !== null || name === '') return;
    setProblem(null);
    if (storageProblem !== null) return;
    setBusy(true);
    const source = {
      kind: 'remote',
      draft,
      tier: hasKey ? keyStorage.tier : null,
      passphrase: hasKey ? passphraseOf(keyStorage) : null,
    } as const;
    const answer = await intents.ask('profiles.add', { name, source });
    setBusy(false);
    if (answer.ok) onSaved({ name, warning: answer.value.warning });
    else setProblem(answer.error);
  };
  return (
    <form onSubmit={submit}>
      <Step number={3} heading={messages.keep} why={messages.keepWhy} state={draft === null ? 'off' : 'on'}>
        {draft !== null && profiles !== null && (
          <>
            {hasKey && (
              <TierChoice
                profiles={profiles}
                value={keyStorage}
                problem={(isTried ? storageProblem : null) ?? problem}
                onChange={setKeyStorage}
              />
            )}
            <Field
              label={messages.name}
              maxLength={32}
              value={name}
              problem={wrongName}
              note={hasKey ? null : problem}
              onChange={setName}
            />
            {hasKey && (
              <p className="t2">
                {keyStorage.tier === 'session'
                  ? messages.sessionOnly
                  : environment === 'production' && messages.remind(dayAndYear(clock.now() + ROTATE_AFTER))}
              </p>
            )}
          </>
        )}
      </Step>
      <footer className="steps-foot">
        <span className="t3 cond grow">{messages.foot}</span>
        <button type="button" className="btn" onClick={onClose}>
          {messages.notNow}
        </button>
        <button type="submit" className="btn primary" aria-disabled={draft === null || busy}>
          {busy ? messages.keeping : messages.keepAdd}
        </button>
      </footer>
    </form>
  );
}

interface SavedProps {
  readonly saved: SavedProfile;
  readonly ending: string | null;
  readonly environment: Environment;
  readonly trace: KeyTrace | null;
  readonly onClose: () => void;
}

function SavedStep({ saved: { name, warning }, ending, environment, trace, onClose }: SavedProps) {
  const profiles = useProfiles();
  const key = profiles?.profiles.find((one) => one.name === name)?.key ?? null;
  return (
    <>
      <Step number={3} heading={messages.saved(name)} why="" state="done">
        <div role="status" className="t2">
          {ending !== null && (
            <p>
              {key?.tier === 'session'
                ? messages.savedSession(ending)
                : messages.savedKey(ending, key?.tier_label ?? '')}
            </p>
          )}
          {warning !== null && <p className="form-warning">{warning}</p>}
          {trace !== null && <ClipboardLine trace={trace} />}
        </div>
      </Step>
      <AddedFoot name={name} environment={environment} onClose={onClose} />
    </>
  );
}
