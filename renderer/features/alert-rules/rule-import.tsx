// Renderer, alert rules: the dialog of an import: each rule of the file as it would be saved, then as it was.
import { useEffect, useState } from 'react';
import type { RuleImport } from '../../../shared/channels/alerting.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Answered } from '../../link/intents.ts';
import { useServices } from '../../services.ts';
import { useSnapshot } from '../../store/store.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';

const { ruleSharing: text } = texts;

export interface ChosenFile {
  readonly name: string;
  readonly text: string;
}

interface RuleImportProps {
  readonly file: ChosenFile;
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onClose: () => void;
}

type ImportAnswer = Answered<{ readonly rules: readonly RuleImport[] }>;

export function RuleImportDialog({ file, returnTo, onClose }: RuleImportProps) {
  const { intents } = useServices();
  const [answer, setAnswer] = useState<ImportAnswer | null>(null);
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    let isOpen = true;
    void intents.ask('rules.import', { text: file.text, dry_run: true }).then((found) => isOpen && setAnswer(found));
    return () => {
      isOpen = false;
    };
  }, [intents, file]);
  if (answer === null) return null;
  const rules = answer.ok ? answer.value.rules : [];
  const good = rules.filter(({ rule }) => rule !== null).length;
  const save = async (): Promise<void> => {
    const saved = await intents.ask('rules.import', { text: file.text, dry_run: false });
    setAnswer(saved);
    setDone(saved.ok);
  };
  return (
    <Dialog
      heading={isDone ? text.imported(file.name) : text.importing(file.name)}
      className="al-import"
      returnTo={returnTo}
      onClose={onClose}
    >
      {answer.ok ? (
        <p role="status">{(isDone ? text.done : text.found)(good, rules.length)}</p>
      ) : (
        <p role="alert" className="form-problem">
          {answer.error}
        </p>
      )}
      {rules.length > 0 && <ImportedRules rules={rules} />}
      <div className="dialog-actions">
        <button type="button" className="btn line" onClick={onClose}>
          {isDone || good === 0 ? texts.common.close : text.cancel}
        </button>
        {!isDone && good > 0 && (
          <button type="button" className="btn primary" data-focus-first onClick={() => void save()}>
            {text.act(good)}
          </button>
        )}
      </div>
    </Dialog>
  );
}

function ImportedRules({ rules }: { readonly rules: readonly RuleImport[] }) {
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const lists = new Map(watchlists.map(({ id, name }) => [id, name]));
  return (
    <ScrollRegion label={text.rules}>
      <ul>
        {rules.map(({ name, rule, notes }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the position in the file names a rule, and stays.
          <li key={index}>
            <p className="al-import-name">
              <strong>{name ?? text.unnamed(index + 1)}</strong>
              <span className={rule === null ? 'al-problem' : 't2'}>
                {rule === null ? text.status.none : rule.enabled ? text.status.on : text.status.off}
              </span>
            </p>
            {rule !== null && <p className="t2">{texts.rules.conditions(rule, lists)}</p>}
            {notes.map(textOf).map((note) => (
              <p key={note}>{note}</p>
            ))}
          </li>
        ))}
      </ul>
    </ScrollRegion>
  );
}
