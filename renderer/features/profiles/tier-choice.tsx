// Renderer, profiles: the choice of storage for a key, with a passphrase where needed.
import { useId } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { z } from 'zod';
import { type KeyTier, KeyTierSchema, PassphraseSchema } from '../../../shared/channels/keys.ts';
import type { Profiles } from '../../../shared/channels/profiles.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { TextField } from '../../ui/form/fields.tsx';

export interface KeyStorage {
  readonly tier: KeyTier;
  readonly passphrase: string;
}

/** Sends the passphrase to the core only where it is needed. */
export const keyStorageSchema = (vault: Profiles['vault']) =>
  z
    .object({ tier: KeyTierSchema, passphrase: z.string() })
    .refine(
      ({ tier, passphrase }) =>
        tier !== 'passphrase' || vault === 'open' || PassphraseSchema.safeParse(passphrase).success,
      { path: ['passphrase'], message: texts.addKey.passphraseShort },
    )
    .transform(({ tier, passphrase }) => ({
      tier,
      passphrase: tier === 'passphrase' && passphrase !== '' ? passphrase : null,
    }));

/** The field `storage` of the form around it. */
export function TierChoice({ profiles: { tiers, vault } }: { profiles: Pick<Profiles, 'tiers' | 'vault'> }) {
  const { control } = useFormContext<{ storage: KeyStorage }>();
  const { field } = useController({ control, name: 'storage.tier' });
  const id = useId();
  const named = {
    keychain: null,
    passphrase: texts.profiles.tiers.passphrase,
    session: texts.profiles.tiers.session,
  } as const;
  return (
    <fieldset className="tiers">
      <legend className="spoken">{texts.profiles.tiers.label}</legend>
      {tiers.map(({ tier, label: where }) => (
        <label key={tier} className={tier === field.value ? 'tier on' : 'tier'}>
          <input type="radio" name={id} checked={tier === field.value} onChange={() => field.onChange(tier)} />
          {named[tier] ?? capital(textOf(where))}
        </label>
      ))}
      {field.value === 'passphrase' && vault === 'open' && <p className="t2">{texts.addKey.passphraseOpen}</p>}
      {field.value === 'passphrase' && vault !== 'open' && (
        <PassphraseField label={vault === 'none' ? texts.addKey.newPassphrase : texts.addKey.passphrase} />
      )}
    </fieldset>
  );
}

const PassphraseField = ({ label }: { label: string }) => (
  <TextField
    control={useFormContext<{ storage: KeyStorage }>().control}
    name="storage.passphrase"
    label={label}
    type="password"
    maxLength={1024}
  />
);

const capital = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());
