// Renderer, profiles: the field for a key, its schema, and the masked key after sending.
import { useFormContext } from 'react-hook-form';
import { texts } from '../../../shared/text/texts.ts';
import { type Environment, KEY_PREFIXES, keyEnvironment } from '../../../shared/wire/keys.ts';
import { useTextInput, WhileConnected } from '../../ui/form/fields.tsx';
import { FieldProblem } from '../../ui/form/form.tsx';
import { checkText } from '../../ui/form/schemas.ts';

/** Returns why a key is invalid in an environment; null if it is valid. */
function whyNotKey(key: string, environment: Environment): string | null {
  const named = keyEnvironment(key.trim());
  return named === null || named === environment ? null : texts.addKey.wrong(named, KEY_PREFIXES[environment]);
}

/** As `whyNotKey`, if a key is required. */
export const whyNoKey = (key: string, environment: Environment): string | null =>
  key === '' ? texts.addKey.noKey : whyNotKey(key, environment);

export const keySchema = (environment: Environment) => checkText((key) => whyNoKey(key, environment));

/** The field `key` of the form around it. */
export const KeyField = ({ environment }: { environment: Environment }) => (
  <WhileConnected>
    <KeyInput environment={environment} />
  </WhileConnected>
);

function KeyInput({ environment }: { environment: Environment }) {
  const { control } = useFormContext<{ key: string }>();
  const { id, input, problem } = useTextInput({ control, name: 'key' });
  // Before the first submit, too: a key of the other environment must not look accepted.
  const wrong = whyNotKey(input.value, environment) ?? problem;
  const named = keyEnvironment(input.value.trim());
  return (
    <div className="form-field">
      <label htmlFor={id}>{texts.addKey.key}</label>
      <div className={wrong === undefined ? 'field key-field' : 'field key-field is-wrong'}>
        <input
          {...input}
          type="password"
          className="mono grow"
          maxLength={512}
          aria-invalid={wrong !== undefined}
          aria-describedby={wrong === undefined ? undefined : `${id}-problem`}
        />
        {input.value.trim() !== '' && (
          <span className="t3 cond">
            {named === null ? texts.addKey.prefixUnknown : texts.addKey.prefixSays(named)}
          </span>
        )}
      </div>
      <FieldProblem id={id}>{wrong}</FieldProblem>
    </div>
  );
}

/** The only trace of a sent key in the window. */
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
        {prefix === '' ? texts.addKey.prefixUnknown : texts.addKey.prefixSays(environment)}
      </span>
    </div>
  );
}
