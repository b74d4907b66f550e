// Renderer, profiles: step 1 of adding a profile by key: environment, access, address and key.
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { type ConnectionTest, ModeSchema } from '../../../shared/channels/profiles.ts';
import { isLoopback } from '../../../shared/lib/loopback.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { SegmentedField, TextField } from '../../ui/form/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form/form.tsx';
import { checkText } from '../../ui/form/schemas.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { KeyField, MaskedKey, whyNoKey } from './key-field.tsx';
import { Step, takeFocus } from './step.tsx';

const messages = texts.addKey;

const addressSchema = checkText((text) => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return messages.noAddress;
  // The core refuses it, too; the form reports it earlier.
  return url.protocol === 'http:' && !isLoopback(url.hostname) ? messages.notHttps : null;
});

/** key: null behind a dashboard, which signs its requests itself. */
const connectionSchema = (environment: Environment) =>
  z
    .object({ mode: ModeSchema, url: addressSchema, key: z.string().trim() })
    .superRefine(({ mode, key }, context) => {
      const message = mode === 'proxy' ? null : whyNoKey(key, environment);
      if (message !== null) context.addIssue({ code: 'custom', path: ['key'], message });
    })
    .transform(({ mode, url, key }) => ({ mode, url, key: mode === 'proxy' ? null : key }));
export type ConnectionInput = z.output<ReturnType<typeof connectionSchema>>;

interface ConnectionFormProps {
  readonly environment: Environment;
  readonly onEnvironment: (environment: Environment) => void;
  readonly result: ConnectionTest | null;
  readonly isBusy: boolean;
  readonly onTest: (input: ConnectionInput) => Promise<Result<ConnectionTest, string> | undefined>;
  /** The result no longer matches the form. */
  readonly onReplace: () => void;
}

export function ConnectionForm(props: ConnectionFormProps) {
  const { environment, onEnvironment, result, isBusy, onTest, onReplace } = props;
  const form = useSchemaForm(connectionSchema(environment), { defaultValues: { url: '', mode: 'auto', key: '' } });
  const { control } = form;
  const mode = useWatch({ control, name: 'mode' });
  const test = async (input: ConnectionInput) => {
    if (isBusy) return;
    const answer = await onTest(input);
    // The window forgets the key once it was sent.
    if (answer?.ok === true) form.resetField('key');
    return answer;
  };
  return (
    <Step number={1} heading={messages.paste} why={messages.pasteWhy} state={result === null ? 'on' : 'done'}>
      <Form form={form} onSubmit={test} refusalAt="url">
        <div className="form-row">
          <SegmentedControl
            label={messages.environment}
            options={[
              { value: 'production', label: messages.production },
              { value: 'sandbox', label: messages.sandbox },
            ]}
            value={environment}
            onChange={(next) => {
              form.clearErrors('key');
              onEnvironment(next);
            }}
          />
          <SegmentedField
            control={control}
            name="mode"
            label={messages.access}
            isSpoken
            options={ModeSchema.options.map((value) => ({ value, label: messages.modes[value] }))}
            onEdit={onReplace}
          />
        </div>
        <TextField
          control={control}
          name="url"
          label={messages.address}
          inputMode="url"
          placeholder={messages.addressHint}
          onEdit={onReplace}
        />
        {mode === 'proxy' ? (
          <p className="t2">{messages.dashboard}</p>
        ) : result !== null && result.ending !== null ? (
          <div className="form-row">
            <MaskedKey prefix={result.prefix ?? ''} ending={result.ending} environment={environment} />
            <button ref={takeFocus} type="button" className="btn line" onClick={onReplace}>
              {messages.replace}
            </button>
          </div>
        ) : (
          <KeyField environment={environment} />
        )}
        {result === null && (
          <div className="form-row">
            <button type="submit" className="btn primary" aria-disabled={isBusy}>
              {messages.tryIt}
            </button>
          </div>
        )}
      </Form>
    </Step>
  );
}
