// Renderer, profiles: how price files are read, with their first rows, and what they leave open.
import { useId, useState } from 'react';
import type { PriceAnswer, PriceFormat } from '../../../shared/channels/profiles.ts';
import { texts } from '../../../shared/text/texts.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';

const messages = texts.ownPrices;
const ROLES = ['date', 'time', 'close', 'open', 'high', 'low', 'volume', 'symbol'] as const;
/** Answer for the symbol: each other column is one. */
const EACH_COLUMN = '*';

interface PriceFormatsProps {
  readonly formats: readonly PriceFormat[];
  /** Reads the files again with these answers. */
  readonly onAnswer: (answers: readonly PriceAnswer[]) => void;
}

export function PriceFormats({ formats, onAnswer }: PriceFormatsProps) {
  const [answers, setAnswers] = useState<ReadonlyMap<string, PriceAnswer>>(new Map());
  const answer = (one: PriceAnswer): void => {
    const next = new Map(answers);
    const key = `${one.of}\n${one.setting}`;
    if (one.value.trim() === '') next.delete(key);
    else next.set(key, one);
    setAnswers(next);
  };
  const isAsked = formats.some(({ questions }) => questions.length > 0);
  return (
    <>
      <ScrollRegion className="price-formats" label={messages.formats}>
        {formats.map((format) => (
          <Format key={`${format.file} ${format.header}`} format={format} answers={answers} onAnswer={answer} />
        ))}
      </ScrollRegion>
      {isAsked && (
        <div className="form-row">
          <button
            type="button"
            className="btn line"
            aria-disabled={answers.size === 0}
            onClick={() => answers.size > 0 && onAnswer([...answers.values()])}
          >
            {messages.answer}
          </button>
          <span className="t2">{messages.answerWhy}</span>
        </div>
      )}
    </>
  );
}

const COLUMNS: readonly Column<readonly string[]>[] = messages.columns.map((name, at) => ({
  name,
  ...(at > 1 ? { className: 'num' } : {}),
  cell: (row) => row[at] ?? '',
}));

interface FormatProps {
  readonly format: PriceFormat;
  readonly answers: ReadonlyMap<string, PriceAnswer>;
  readonly onAnswer: (answer: PriceAnswer) => void;
}

function Format({ format: { file, files, header, found, rows, questions }, answers, onAnswer }: FormatProps) {
  const answered = (of: string, setting: string): string => answers.get(`${of}\n${setting}`)?.value ?? '';
  // Rows that are not used are among the lines to check.
  const read = rows.filter(({ length }) => length > 1);
  return (
    <div className="price-format">
      <p>
        <b>{messages.fileAndMore(file, files - 1)}</b> <span className="t2">{found}</span>
      </p>
      {read.length > 0 && (
        <Table label={messages.asRead(file)} columns={COLUMNS} rows={read} keyOf={(row) => row.join(' ')} />
      )}
      {questions.map(({ kind, what, choices }) => {
        const of = kind === 'symbol' ? file : header;
        const props = { what, choices, answered: (setting: string) => answered(of, setting) };
        const say = (setting: string, value: string): void => onAnswer({ of, setting, value });
        if (kind === 'columns') return <ColumnChoices key={kind} {...props} onSay={say} />;
        if (kind === 'symbol' || kind === 'zone') return <TypedChoice key={kind} {...props} kind={kind} onSay={say} />;
        return (
          <div key={kind} className="price-setting">
            <span>{what}.</span>
            <SegmentedControl
              label={what}
              options={choices.map(({ value, means }) => ({ value, label: messages.choice(value, means) }))}
              value={answered(of, kind)}
              onChange={(value) => say(kind, value)}
            />
          </div>
        );
      })}
    </div>
  );
}

interface QuestionProps {
  readonly what: string;
  readonly choices: PriceFormat['questions'][number]['choices'];
  readonly answered: (setting: string) => string;
  readonly onSay: (setting: string, value: string) => void;
}

function TypedChoice({ what, choices, kind, answered, onSay }: QuestionProps & { readonly kind: 'symbol' | 'zone' }) {
  const id = useId();
  return (
    <div className="price-setting">
      <label htmlFor={id}>
        {messages.ask[kind]} <span className="t3">{what}.</span>
      </label>
      <input
        id={id}
        className="field mono price-typed"
        list={`${id}-list`}
        maxLength={60}
        value={answered(kind)}
        onChange={({ target }) => onSay(kind, target.value)}
      />
      <datalist id={`${id}-list`}>
        {choices.map(({ value }) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </div>
  );
}

const ColumnChoices = ({ what, choices, answered, onSay }: QuestionProps) => (
  <fieldset className="price-columns" aria-label={what}>
    <p className="cond">{what}.</p>
    {ROLES.map((role) => (
      <label key={role}>
        {messages.roles[role]}
        <select
          className="field"
          value={answered(`columns.${role}`)}
          onChange={({ target }) => onSay(`columns.${role}`, target.value)}
        >
          <option value="">{messages.noColumn}</option>
          {choices.map(
            ({ value, means }, at) =>
              (value !== EACH_COLUMN || role === 'symbol') && (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name.
                <option key={at} value={value}>
                  {messages.choice(value, means)}
                </option>
              ),
          )}
        </select>
      </label>
    ))}
  </fieldset>
);
