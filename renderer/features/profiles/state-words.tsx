// Renderer, profiles: asks what each word means that the service writes for a state, and saves it in the profile.
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { STATES, type StateName, stateLabel, stateName } from '../../../shared/domain/states.ts';
import { stateMapText } from '../../../shared/settings/state-map.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { useSnapshot } from '../../store/store.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/form/fields.tsx';
import { DialogActions, Form, FormProblem, useSchemaForm } from '../../ui/form/form.tsx';
import { useStateWords } from './state-words-button.tsx';

const messages = texts.profiles.stateWords;
const OPTIONS = [
  { value: '', label: messages.undecided },
  ...STATES.map((state) => ({ value: stateName(state), label: stateLabel(state) })),
];
const meaningsSchema = z
  .object({ meanings: z.array(z.enum(['', 'normal', 'elevated', 'high_risk'])) })
  .refine(({ meanings }) => meanings.some((meaning) => meaning !== ''), {
    path: ['meanings', 0],
    message: messages.missing,
  });

export function StateWords({ onClose }: { onClose: () => void }) {
  const { intents } = useServices();
  const name = useSnapshot((snapshot) => snapshot.profile.name);
  const words = useStateWords();
  const form = useSchemaForm(meaningsSchema, { defaultValues: { meanings: words.map(() => '' as const) } });
  const { control } = form;
  const save = ({ meanings }: z.output<typeof meaningsSchema>) =>
    intents.ask('profiles.map_states', { name, states: mapOf(words, meanings) });
  const states = mapOf(words, useWatch({ control, name: 'meanings' }));
  return (
    <Dialog heading={messages.heading(name)} className="confirm" onClose={onClose}>
      <Form form={form} onSubmit={save} onAccepted={onClose}>
        <p className="confirm-message">{messages.why}</p>
        {words.map((word, index) => (
          <SelectField
            key={word}
            control={control}
            name={`meanings.${index}`}
            label={messages.meaning(word)}
            options={OPTIONS}
          />
        ))}
        <FormProblem control={control} />
        <DialogActions cancel={messages.cancel} submit={messages.submit} onClose={onClose}>
          {Object.keys(states).length > 0 && (
            <code className="question-command" title={messages.command('')}>
              profiles states {name} "{stateMapText(states)}"
            </code>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** The words that have a meaning. */
const mapOf = (words: readonly string[], meanings: readonly (StateName | '')[]): Record<string, StateName> =>
  Object.fromEntries(
    words.flatMap((word, index) => {
      const meaning = meanings[index];
      return meaning === undefined || meaning === '' ? [] : [[word, meaning] as const];
    }),
  );
