// Renderer, profiles: where a key is pasted. What is wrong with it is said where it was typed; once it was sent, four characters are left of it.
import { useId } from 'react';
import { type Environment, KEY_PREFIXES, keyEnvironment } from '../../../shared/wire/keys.ts';
import { profileText as messages } from '../../text/profiles.ts';
import { FieldProblem } from '../../ui/field.tsx';

/** Why this key cannot be used there; null where it may be. */
export function whyNotKey(key: string, environment: Environment): string | null {
  const named = keyEnvironment(key.trim());
  return named === null || named === environment ? null : messages.key.wrong(named, KEY_PREFIXES[environment]);
}

interface KeyFieldProps {
  readonly environment: Environment;
  readonly value: string;
  readonly problem: string | null;
  readonly onChange: (key: string) => void;
}

export function KeyField({ environment, value, problem, onChange }: KeyFieldProps) {
  const id = useId();
  const wrong = whyNotKey(value, environment) ?? problem;
  const named = keyEnvironment(value.trim());
  return (
    <div className="form-field">
      <label htmlFor={id}>{messages.key.key}</label>
      <div className={wrong === null ? 'field key-field' : 'field key-field is-wrong'}>
        <input
          id={id}
          type="password"
          className="mono grow"
          autoComplete="off"
          spellCheck={false}
          maxLength={512}
          value={value}
          aria-invalid={wrong !== null}
          aria-describedby={`${id}-problem`}
          onChange={(event) => onChange(event.target.value)}
        />
        {value.trim() !== '' && (
          <span className="t3 cond">
            {named === null ? messages.key.prefixUnknown : messages.key.prefixSays(named)}
          </span>
        )}
      </div>
      <FieldProblem id={id}>{wrong}</FieldProblem>
    </div>
  );
}

/** What the window keeps of a key that was sent. */
export function MaskedKey({
  prefix,
  ending,
  environment,
}: {
  prefix: string;
  ending: string;
  environment: Environment;
}) {
  return (
    <div className="field key-field">
      <span className="mono grow">
        {prefix} •••• •••• •••• {ending}
      </span>
      <span className="t3 cond">
        {prefix === '' ? messages.key.prefixUnknown : messages.key.prefixSays(environment)}
      </span>
    </div>
  );
}
