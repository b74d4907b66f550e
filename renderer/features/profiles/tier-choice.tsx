// Renderer, profiles: where a key is kept: every way named, none taken silently. The one under a passphrase asks for it.
import { useId } from 'react';
import { type KeyTier, PASSPHRASE_MIN } from '../../../shared/channels/keys.ts';
import type { Profiles } from '../../../shared/channels/profiles.ts';
import { profileText as messages } from '../../text/profiles.ts';
import { FieldProblem } from '../../ui/field.tsx';

export interface KeyStorageChoice {
  readonly tier: KeyTier;
  readonly passphrase: string;
}

/** What goes to the core: the passphrase only where it is needed. */
export const passphraseOf = ({ tier, passphrase }: KeyStorageChoice): string | null =>
  tier === 'passphrase' && passphrase !== '' ? passphrase : null;

/** Why it cannot be kept so; null where it can. */
export const keyStorageProblem = ({ tier, passphrase }: KeyStorageChoice, vault: Profiles['vault']): string | null =>
  tier === 'passphrase' && vault !== 'open' && passphrase.length < PASSPHRASE_MIN ? messages.key.passphraseShort : null;

interface TierChoiceProps {
  readonly profiles: Pick<Profiles, 'tiers' | 'vault'>;
  readonly value: KeyStorageChoice;
  readonly problem: string | null;
  readonly onChange: (value: KeyStorageChoice) => void;
}

export function TierChoice({ profiles: { tiers, vault }, value, problem, onChange }: TierChoiceProps) {
  const id = useId();
  const named = { keychain: null, passphrase: messages.tiers.passphrase, session: messages.tiers.session } as const;
  return (
    <fieldset className="tiers">
      <legend className="spoken">{messages.tiers.label}</legend>
      {tiers.map(({ tier, label: where }) => (
        <label key={tier} className={tier === value.tier ? 'tier on' : 'tier'}>
          <input type="radio" name={id} checked={tier === value.tier} onChange={() => onChange({ ...value, tier })} />
          {named[tier] ?? capital(where)}
        </label>
      ))}
      {value.tier === 'passphrase' && vault === 'open' && <p className="t2">{messages.key.passphraseOpen}</p>}
      {value.tier === 'passphrase' && vault !== 'open' && (
        <div className="form-field">
          <label htmlFor={`${id}-phrase`}>
            {vault === 'none' ? messages.key.newPassphrase : messages.key.passphrase}
          </label>
          <input
            id={`${id}-phrase`}
            className="field"
            type="password"
            autoComplete="off"
            maxLength={1024}
            value={value.passphrase}
            aria-describedby={`${id}-problem`}
            onChange={(event) => onChange({ ...value, passphrase: event.target.value })}
          />
        </div>
      )}
      <FieldProblem id={id}>{problem}</FieldProblem>
    </fieldset>
  );
}

const capital = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());
