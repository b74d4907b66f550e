// Renderer, profiles: the dialog that adds a profile over a folder of prices: check, then name.
import { useRef, useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { z } from 'zod';
import type { PriceAnswer, PriceReport } from '../../../shared/channels/profiles.ts';
import { MAX_LISTED } from '../../../shared/domain/watchlists.ts';
import { err } from '../../../shared/lib/result.ts';
import { count } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { FieldProblem, Form, useSchemaForm } from '../../ui/form/form.tsx';
import { checkText, optionalText } from '../../ui/form/schemas.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import type { PriceFolders } from './dialog-request.ts';
import { KeepPricesForm } from './keep-prices-form.tsx';
import { useProfiles } from './open-profile.ts';
import { PriceDrop } from './price-drop.tsx';
import { PriceFormats } from './price-formats.tsx';
import { AddedFoot, AddedStep, Step, StepsFoot } from './step.tsx';

const messages = texts.ownPrices;

interface AddPricesProps {
  /** The folders of the profile to replay; null: the user enters them. */
  readonly replayOf: PriceFolders | null;
  readonly onClose: () => void;
}

export function AddPrices({ replayOf, onClose }: AddPricesProps) {
  const profiles = useProfiles();
  const [report, setReport] = useState<PriceReport | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { intents } = useServices();
  const answer = async (answers: readonly PriceAnswer[]): Promise<void> => {
    if (report === null) return;
    const { folder, editorial, events } = report;
    const folders = foldersOf({ folder, editorial, events: events ?? null });
    const read = await intents.ask('profiles.check_prices', { ...folders, answers: [...answers] });
    setProblem(read.ok ? (isAsking(read.value) ? null : read.value.refused) : read.error);
    if (read.ok) setReport(read.value);
  };
  return (
    <Dialog heading={messages.heading} className="steps" onClose={onClose}>
      <p className="steps-why">{messages.why}</p>
      <FolderForm folders={replayOf} isChecked={report !== null} onReport={setReport} />
      {report?.refused === null && <PriceFindings report={report} />}
      {report !== null && (
        <div className="price-findings">
          <PriceFormats
            key={report.formats.map(({ questions }) => questions.length).join()}
            formats={report.formats}
            onAnswer={answer}
          />
          <FieldProblem>{problem}</FieldProblem>
        </div>
      )}
      {added !== null ? (
        <>
          <AddedStep number={2} name={added} />
          <AddedFoot name={added} environment="production" onClose={onClose} />
        </>
      ) : report?.refused === null ? (
        <KeepPricesForm
          report={report}
          isReplay={replayOf !== null}
          taken={profiles?.profiles.map(({ name }) => name) ?? []}
          onAdded={setAdded}
          onClose={onClose}
        />
      ) : (
        <>
          <Step number={2} heading={texts.addKey.name} why="" state="off" />
          <StepsFoot isReady={false} submit={messages.add} onClose={onClose} />
        </>
      )}
    </Dialog>
  );
}

/** Whether files wait for an answer. */
const isAsking = ({ formats }: PriceReport): boolean => formats.some(({ questions }) => questions.length > 0);

const PATH = { className: 'mono', maxLength: 1024 } as const;
const folderSchema = z.object({
  folder: checkText((path) => (path === '' ? messages.noFolder : null)),
  editorial: optionalText(),
  events: optionalText(),
});
/** Without a folder of events it is that of the prices. */
const foldersOf = ({ events, ...folders }: z.output<typeof folderSchema>) => ({
  ...folders,
  ...(events === null ? {} : { events }),
});

interface FolderFormProps {
  readonly folders: PriceFolders | null;
  readonly isChecked: boolean;
  /** null: the typed folder has not been checked. */
  readonly onReport: (report: PriceReport | null) => void;
}

function FolderForm({ folders, isChecked, onReport }: FolderFormProps) {
  const { intents } = useServices();
  const form = useSchemaForm(folderSchema, {
    defaultValues: {
      folder: folders?.folder ?? '',
      editorial: folders?.editorial ?? '',
      events: folders?.events ?? '',
    },
  });
  const { control } = form;
  const { isSubmitting } = useFormState({ control });
  const reading = useProfiles()?.reading;
  const folder = useWatch({ control, name: 'folder' });
  const edits = useRef(0);
  const check = async (folders: z.output<typeof folderSchema>) => {
    const before = edits.current;
    const answer = await intents.ask('profiles.check_prices', foldersOf(folders));
    // The user changed the form during the check.
    if (edits.current !== before) return undefined;
    if (!answer.ok) return answer;
    const { refused, refused_at } = answer.value;
    if (refused === null || (refused_at === 'folder' && isAsking(answer.value))) onReport(answer.value);
    else if (refused_at === 'editorial' || refused_at === 'events') form.setError(refused_at, { message: refused });
    else return err(refused);
    return answer;
  };
  const forget = (): void => {
    edits.current += 1;
    onReport(null);
    form.clearErrors();
  };
  return (
    <Step number={1} heading={messages.folder} why={messages.folderForm} state={isChecked ? 'done' : 'on'}>
      <Form form={form} onSubmit={check} refusalAt="folder">
        <TextField
          {...PATH}
          control={control}
          name="folder"
          label={messages.folder}
          placeholder={messages.folderHint}
          onEdit={forget}
        />
        <PriceDrop
          onFolder={(kept) => {
            forget();
            form.setValue('folder', kept);
            void form.handleSubmit(check)();
          }}
        />
        <TextField {...PATH} control={control} name="editorial" label={messages.editorial} onEdit={forget} />
        <p className="t3">{messages.editorialForm}</p>
        <TextField
          {...PATH}
          control={control}
          name="events"
          label={messages.events}
          placeholder={messages.eventsHint}
          onEdit={forget}
        />
        <div className="form-row">
          <button type="submit" className={isChecked ? 'btn line' : 'btn primary'} aria-disabled={isSubmitting}>
            {isSubmitting ? messages.checking : messages.check}
          </button>
          <span role="status" className="t2">
            {isSubmitting && messages.checkingFolder(folder.trim())}
          </span>
          {/* Screen readers would announce each of its changes. */}
          {isSubmitting && reading !== undefined && <span className="t2">{textOf(reading)}</span>}
        </div>
      </Form>
    </Step>
  );
}

/** Number of symbols that are named. */
const NAMED = 12;

const COLUMNS: readonly Column<PriceReport['problems'][number]>[] = [
  {
    name: messages.location,
    cellClass: 'cond',
    cell: ({ file, line }) => (line === 0 ? messages.wholeFile(file) : messages.line(file, line)),
  },
  { name: messages.reason, cellClass: 't2', cell: ({ reason }) => reason },
];

/** The findings in a folder of prices: what can be read, and lines with faults or gaps. */
export function PriceFindings({
  report: { symbols, from, to, files, rows, used, problems, more, formats, due },
}: {
  report: PriceReport;
}) {
  const named = symbols.slice(0, NAMED).join(', ');
  const open = formats.filter(({ questions }) => questions.length > 0);
  const waiting = open.reduce((all, format) => all + format.files, 0);
  return (
    <div className="price-findings" role="status">
      <p>
        {messages.rows(count(used), count(rows), files)} {from !== null && to !== null && messages.span(from, to)}
      </p>
      <p className="t2">{messages.symbols(symbols.length, symbols.length > NAMED ? `${named} …` : named)}</p>
      {symbols.length > MAX_LISTED && <p className="md">{messages.listed(MAX_LISTED)}</p>}
      {due !== null && <p className="t2">{messages.due(due.folder, due.events, due.files)}</p>}
      {waiting > 0 && <p className="md">{messages.waiting(waiting)}</p>}
      {problems.length === 0 ? (
        waiting === 0 && <p className="t2">{messages.clean}</p>
      ) : (
        <>
          <p className="md">{messages.problems(problems.length + more)}</p>
          <ScrollRegion className="price-lines" label={messages.problems(problems.length + more)}>
            <Table columns={COLUMNS} rows={problems} keyOf={({ file, line, reason }) => `${file} ${line} ${reason}`} />
            {more > 0 && <p className="t3">{messages.more(more)}</p>}
          </ScrollRegion>
        </>
      )}
    </div>
  );
}
