// Renderer, settings: the forms about a key: another one in its place, another place for it, the passphrase of its vault.
import { type FormEvent, useState } from 'react';
import { type KeyState, UNTRIED } from '../../../shared/channels/keys.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { useServices } from '../../services.ts';
import { profileWords } from '../../text/profiles.ts';
import { settingsWords } from '../../text/settings.ts';
import { Field } from '../../ui/field.tsx';
import {
  type Keeping,
  KeyField,
  passphraseOf,
  TierChoice,
  useProfiles,
  whyNotKept,
  whyNotKey,
} from '../profiles/index.ts';

const words = settingsWords.keys;
type Done = (said: string) => void;

export function ChangeKey({ state, environment, onDone }: { state: KeyState; environment: Environment; onDone: Done }) {
  const { intents } = useServices();
  const profiles = useProfiles();
  const [key, setKey] = useState('');
  const [keeping, setKeeping] = useState<Keeping>({ tier: state.tier, passphrase: '' });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const hadKey = state.ending !== null;
  const unkept = profiles === null ? null : whyNotKept(keeping, profiles.vault);
  /** @param accepted the old key stays unless the service takes the new one now */
  const save = async (accepted: boolean): Promise<void> => {
    if (profiles === null || busy || whyNotKey(key, environment) !== null) return;
    const wrong = key.trim() === '' ? profileWords.key.noKey : null;
    setProblem(wrong);
    setTried(true);
    if (wrong !== null || unkept !== null) return;
    setBusy(true);
    const passphrase = passphraseOf(keeping);
    const answer = await intents.ask('key.set', {
      key: key.trim(),
      tier: keeping.tier,
      accepted,
      ...(passphrase === null ? {} : { passphrase }),
    });
    setBusy(false);
    if (!answer.ok) return setProblem(answer.error);
    setKey('');
    onDone(words.saved(answer.value.ending ?? '', answer.value.tier_words));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void save(hadKey);
  };
  return (
    <form className="settings-form" onSubmit={submit}>
      <p className="t2">{hadKey ? words.replaceWhy : words.addWhy}</p>
      <KeyField environment={environment} value={key} problem={problem} onChange={setKey} />
      {profiles !== null && (
        <TierChoice profiles={profiles} value={keeping} problem={isTried ? unkept : null} onChange={setKeeping} />
      )}
      <div className="form-row">
        <button type="submit" className="btn primary" aria-disabled={busy}>
          {busy ? words.saving : words.save}
        </button>
        {problem?.startsWith(UNTRIED) === true && key !== '' && (
          <button type="button" className="btn" onClick={() => void save(false)}>
            {words.anyway}
          </button>
        )}
      </div>
    </form>
  );
}

export function MoveKey({ state, onDone }: { state: KeyState; onDone: Done }) {
  const { intents } = useServices();
  const profiles = useProfiles();
  const [keeping, setKeeping] = useState<Keeping>({ tier: state.tier, passphrase: '' });
  const [problem, setProblem] = useState<string | null>(null);
  if (profiles === null) return null;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wrong = whyNotKept(keeping, profiles.vault);
    setProblem(wrong);
    if (wrong !== null) return;
    const passphrase = passphraseOf(keeping);
    const answer = await intents.ask('key.move', {
      tier: keeping.tier,
      ...(passphrase === null ? {} : { passphrase }),
    });
    if (answer.ok) onDone(words.moved(answer.value.tier_words));
    else setProblem(answer.error);
  };
  return (
    <form className="settings-form" onSubmit={submit}>
      <TierChoice profiles={profiles} value={keeping} problem={problem} onChange={setKeeping} />
      <div className="form-row">
        <button type="submit" className="btn primary">
          {words.moveAct}
        </button>
      </div>
    </form>
  );
}

export function OpenVault({ onDone }: { onDone: Done }) {
  const { intents } = useServices();
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wrong = whyNotKept({ tier: 'passphrase', passphrase }, 'locked');
    setProblem(wrong);
    if (wrong !== null) return;
    const answer = await intents.ask('key.unlock', { passphrase });
    if (answer.ok) onDone(words.unlocked);
    else setProblem(answer.error);
  };
  return (
    <form className="settings-form" onSubmit={submit}>
      <Field
        label={profileWords.key.passphrase}
        type="password"
        maxLength={1024}
        value={passphrase}
        problem={problem}
        onChange={setPassphrase}
      />
      <div className="form-row">
        <button type="submit" className="btn primary">
          {words.unlockAct}
        </button>
      </div>
    </form>
  );
}
