// Renderer, profiles: a profile by its address and key, in three steps: paste, try, keep. The key leaves the window once and is not seen again.
import { type FormEvent, useRef, useState } from 'react';
import type { Trial } from '../../../shared/channels/profiles.ts';
import { ProfileNameSchema } from '../../../shared/domain/profiles.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { useServices } from '../../services.ts';
import { dayAndYear } from '../../text/format.ts';
import { profileWords } from '../../text/profiles.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Segment } from '../../ui/segment.tsx';
import { AddedFoot } from './added-foot.tsx';
import { Checks } from './checks.tsx';
import type { KeyTrace } from './clipboard.ts';
import { ClipboardLine } from './clipboard-line.tsx';
import { returnTo } from './errand.ts';
import { KeptKey, KeyField, whyNotKey } from './key-field.tsx';
import { useProfiles } from './open-profile.ts';
import { Step, takeFocus } from './step.tsx';
import { type Keeping, passphraseOf, TierChoice, whyNotKept } from './tier-choice.tsx';
import { useTrial } from './use-trial.ts';

const words = profileWords.key;
type Mode = keyof typeof words.modes;
/** Age at which a production key should be replaced, ms. */
const ROTATE_AFTER = 90 * 86_400_000;

interface Saved {
  readonly name: string;
  readonly warning: string | null;
}

export function AddKey({ environment: first, onClose }: { environment: Environment; onClose: () => void }) {
  const [environment, setEnvironment] = useState(first);
  const [saved, setSaved] = useState<Saved | null>(null);
  const trace = useRef<KeyTrace | null>(null);
  const { forget, ...trying } = useTrial();
  const turnTo = (next: Environment): void => {
    setEnvironment(next);
    forget();
  };
  return (
    <Dialog heading={words.heading[environment]} className="steps" returnTo={returnTo} onClose={onClose}>
      <p className="steps-why">{words.why}</p>
      <Paste
        environment={environment}
        onEnvironment={turnTo}
        trial={trying.trial}
        busy={trying.busy}
        problem={trying.problem}
        onTry={async ({ url, mode, key }) => {
          const trimmed = key.trim();
          const trial = await trying.look({
            environment,
            url,
            mode,
            key: mode === 'proxy' || trimmed === '' ? null : trimmed,
          });
          if (trial?.ending != null)
            trace.current = { prefix: trial.prefix ?? '', ending: trial.ending, length: trimmed.length };
          return trial !== null;
        }}
        onReplace={forget}
      />
      <Step number={2} heading={words.tryIt} why={words.tryWhy} state={triedState(trying.trial, trying.busy)}>
        <Checks trying={trying} onStop={trying.stop} />
      </Step>
      {saved === null ? (
        <Keep
          key={trying.trial?.draft ?? ''}
          trial={trying.trial}
          environment={environment}
          onSaved={setSaved}
          onClose={onClose}
        />
      ) : (
        <SavedStep
          saved={saved}
          ending={trying.trial?.ending ?? null}
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
  readonly trial: Trial | null;
  readonly busy: boolean;
  readonly problem: string | null;
  /** @returns whether anything was tried: from then on the key is behind this window */
  readonly onTry: (wish: { readonly url: string; readonly mode: Mode; readonly key: string }) => Promise<boolean>;
  readonly onReplace: () => void;
}

function Paste({ environment, onEnvironment, trial, busy, problem, onTry, onReplace }: PasteProps) {
  const [url, setUrl] = useState('');
  const [mode, setMode] = useState<Mode>('auto');
  const [key, setKey] = useState('');
  const [wrong, setWrong] = useState<{ readonly url: string | null; readonly key: string | null }>({
    url: null,
    key: null,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = { url: whyNotAddress(url), key: mode !== 'proxy' && key.trim() === '' ? words.noKey : null };
    setWrong(found);
    if (busy || found.url !== null || found.key !== null || (mode !== 'proxy' && whyNotKey(key, environment) !== null))
      return;
    void onTry({ url: url.trim(), mode, key }).then((isTried) => {
      if (isTried) setKey('');
    });
  };
  const isSent = trial !== null;
  return (
    <Step number={1} heading={words.paste} why={words.pasteWhy} state={isSent ? 'done' : 'on'}>
      <form onSubmit={submit}>
        <div className="form-row">
          <Segment
            label={words.environment}
            options={[
              { value: 'production', label: words.production },
              { value: 'sandbox', label: words.sandbox },
            ]}
            value={environment}
            onChange={onEnvironment}
          />
          <Segment
            label={words.access}
            options={(Object.keys(words.modes) as Mode[]).map((value) => ({ value, label: words.modes[value] }))}
            value={mode}
            onChange={(next) => {
              setMode(next);
              onReplace();
            }}
          />
        </div>
        <Field
          label={words.address}
          inputMode="url"
          placeholder={words.addressHint}
          value={url}
          problem={wrong.url ?? problem}
          onChange={(next) => {
            setUrl(next);
            setWrong({ ...wrong, url: null });
            if (isSent || problem !== null) onReplace();
          }}
        />
        {mode === 'proxy' ? (
          <p className="t2">{words.dashboard}</p>
        ) : isSent && trial.ending !== null ? (
          <div className="form-row">
            <KeptKey prefix={trial.prefix ?? ''} ending={trial.ending} environment={environment} />
            <button ref={takeFocus} type="button" className="btn line" onClick={onReplace}>
              {words.replace}
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
              {words.tryIt}
            </button>
          </div>
        )}
      </form>
    </Step>
  );
}

/** A try that failed is not done. */
const triedState = (trial: Trial | null, busy: boolean): 'off' | 'on' | 'done' =>
  trial === null ? (busy ? 'on' : 'off') : trial.checks.every(({ outcome }) => outcome === 'good') ? 'done' : 'on';

/** Loopback by name or address: the only place where plain http is accepted. The core decides; this says it sooner. */
const HERE = /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/;

function whyNotAddress(text: string): string | null {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return words.noAddress;
  return url.protocol === 'http:' && !HERE.test(url.hostname) ? words.notHttps : null;
}

interface KeepProps {
  readonly trial: Trial | null;
  readonly environment: Environment;
  readonly onSaved: (saved: Saved) => void;
  readonly onClose: () => void;
}

function Keep({ trial, environment, onSaved, onClose }: KeepProps) {
  const { intents, clock } = useServices();
  const profiles = useProfiles();
  const [name, setName] = useState(trial?.name ?? '');
  const [keeping, setKeeping] = useState<Keeping>({ tier: profiles?.tiers[0]?.tier ?? 'keychain', passphrase: '' });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const draft = trial?.draft ?? null;
  const hasKey = trial?.ending != null;
  const unkept = hasKey && profiles !== null ? whyNotKept(keeping, profiles.vault) : null;
  const taken = profiles?.profiles.some((one) => one.name === name) === true;
  const wrongName =
    name === ''
      ? isTried
        ? words.nameForm
        : null
      : taken
        ? words.nameTaken(name)
        : ProfileNameSchema.safeParse(name).success
          ? null
          : words.nameForm;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (draft === null || profiles === null || busy) return;
    setTried(true);
    if (wrongName !== null || name === '') return;
    setProblem(null);
    if (unkept !== null) return;
    setBusy(true);
    const source = {
      kind: 'remote',
      draft,
      tier: hasKey ? keeping.tier : null,
      passphrase: hasKey ? passphraseOf(keeping) : null,
    } as const;
    const answer = await intents.ask('profiles.add', { name, source });
    setBusy(false);
    if (answer.ok) onSaved({ name, warning: answer.value.warning });
    else setProblem(answer.error);
  };
  return (
    <form onSubmit={submit}>
      <Step number={3} heading={words.keep} why={words.keepWhy} state={draft === null ? 'off' : 'on'}>
        {draft !== null && profiles !== null && (
          <>
            {hasKey && (
              <TierChoice
                profiles={profiles}
                value={keeping}
                problem={(isTried ? unkept : null) ?? problem}
                onChange={setKeeping}
              />
            )}
            <Field
              label={words.name}
              maxLength={32}
              value={name}
              problem={wrongName}
              note={hasKey ? null : problem}
              onChange={setName}
            />
            {hasKey && (
              <p className="t2">
                {keeping.tier === 'session'
                  ? words.notKept
                  : environment === 'production' && words.remind(dayAndYear(clock.now() + ROTATE_AFTER))}
              </p>
            )}
          </>
        )}
      </Step>
      <footer className="steps-foot">
        <span className="t3 cond grow">{words.foot}</span>
        <button type="button" className="btn" onClick={onClose}>
          {words.notNow}
        </button>
        <button type="submit" className="btn primary" aria-disabled={draft === null || busy}>
          {busy ? words.keeping : words.keepAdd}
        </button>
      </footer>
    </form>
  );
}

interface SavedProps {
  readonly saved: Saved;
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
      <Step number={3} heading={words.saved(name)} why="" state="done">
        <div role="status" className="t2">
          {ending !== null && (
            <p>
              {key?.tier === 'session' ? words.savedSession(ending) : words.savedKey(ending, key?.tier_words ?? '')}
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
