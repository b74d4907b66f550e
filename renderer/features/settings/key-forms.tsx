// Renderer, settings: the forms about a key: another one in its place, another place for it, the passphrase of its vault.
import { type FormEvent, useState } from 'react';
import { type KeyState, UNTRIED } from '../../../shared/channels/keys.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { useServices } from '../../services.ts';
import { profileText } from '../../text/profiles.ts';
import { settingsText } from '../../text/settings.ts';
import { Field } from '../../ui/field.tsx';
import {
  KeyField,
  type KeyStorageChoice,
  keyStorageProblem,
  passphraseOf,
  TierChoice,
  useProfiles,
  whyNotKey,
} from '../profiles/index.ts';

const messages = settingsText.keys;
type DoneHandler = (said: string) => void;

export function ChangeKey({
  state,
  environment,
  onDone,
}: {
  state: KeyState;
  environment: Environment;
  onDone: DoneHandler;
}) {
  const { intents } = useServices();
  const profiles = useProfiles();
  const [key, setKey] = useState('');
  const [keyStorage, setKeyStorage] = useState<KeyStorageChoice>({ tier: state.tier, passphrase: '' });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const hadKey = state.ending !== null;
  const storageProblem = profiles === null ? null : keyStorageProblem(keyStorage, profiles.vault);
  /** @param accepted the old key stays unless the service takes the new one now */
  const save = async (accepted: boolean): Promise<void> => {
    if (profiles === null || busy || whyNotKey(key, environment) !== null) return;
    const wrong = key.trim() === '' ? profileText.key.noKey : null;
    setProblem(wrong);
    setTried(true);
    if (wrong !== null || storageProblem !== null) return;
    setBusy(true);
    const passphrase = passphraseOf(keyStorage);
    const answer = await intents.ask('key.set', {
      key: key.trim(),
      tier: keyStorage.tier,
      accepted,
      ...(passphrase === null ? {} : { passphrase }),
    });
    setBusy(false);
    if (!answer.ok) return setProblem(answer.error);
    setKey('');
    onDone(messages.saved(answer.value.ending ?? '', answer.value.tier_label));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void save(hadKey);
  };
  return (
    <form className="settings-form" onSubmit={submit}>
      <p className="t2">{hadKey ? messages.replaceWhy : messages.addWhy}</p>
      <KeyField environment={environment} value={key} problem={problem} onChange={setKey} />
      {profiles !== null && (
        <TierChoice
          profiles={profiles}
          value={keyStorage}
          problem={isTried ? storageProblem : null}
          onChange={setKeyStorage}
        />
      )}
      <div className="form-row">
        <button type="submit" className="btn primary" aria-disabled={busy}>
          {busy ? messages.saving : messages.save}
        </button>
        {problem?.startsWith(UNTRIED) === true && key !== '' && (
          <button type="button" className="btn" onClick={() => void save(false)}>
            {messages.anyway}
          </button>
        )}
      </div>
    </form>
  );
}

export function MoveKey({ state, onDone }: { state: KeyState; onDone: DoneHandler }) {
  const { intents } = useServices();
  const profiles = useProfiles();
  const [keyStorage, setKeyStorage] = useState<KeyStorageChoice>({ tier: state.tier, passphrase: '' });
  const [problem, setProblem] = useState<string | null>(null);
  if (profiles === null) return null;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wrong = keyStorageProblem(keyStorage, profiles.vault);
    setProblem(wrong);
    if (wrong !== null) return;
    const passphrase = passphraseOf(keyStorage);
    const answer = await intents.ask('key.move', {
      tier: keyStorage.tier,
      ...(passphrase === null ? {} : { passphrase }),
    });
    if (answer.ok) onDone(messages.moved(answer.value.tier_label));
    else setProblem(answer.error);
  };
  return (
    <form className="settings-form" onSubmit={submit}>
      <TierChoice profiles={profiles} value={keyStorage} problem={problem} onChange={setKeyStorage} />
      <div className="form-row">
        <button type="submit" className="btn primary">
          {messages.moveAct}
        </button>
      </div>
    </form>
  );
}

export function OpenVault({ onDone }: { onDone: DoneHandler }) {
  const { intents } = useServices();
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wrong = keyStorageProblem({ tier: 'passphrase', passphrase }, 'locked');
    setProblem(wrong);
    if (wrong !== null) return;
    const answer = await intents.ask('key.unlock', { passphrase });
    if (answer.ok) onDone(messages.unlocked);
    else setProblem(answer.error);
  };
  return (
    <form className="settings-form" onSubmit={submit}>
      <Field
        label={profileText.key.passphrase}
        type="password"
        maxLength={1024}
        value={passphrase}
        problem={problem}
        onChange={setPassphrase}
      />
      <div className="form-row">
        <button type="submit" className="btn primary">
          {messages.unlockAct}
        </button>
      </div>
    </form>
  );
}
