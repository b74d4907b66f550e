// Renderer: the boxes of the archive, the filters, and how much of the archive is on this disk.
import { z } from 'zod';
import type { ArchiveView } from '../../../shared/channels/archive.ts';
import { BRIEFING_BOXES } from '../../../shared/channels/archive.ts';
import { count, shortTimestamp } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { SymbolParamSchema } from '../../../shared/wire/primitives.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { DayRangeFields } from '../../ui/day-range-fields.tsx';
import { useTextInput } from '../../ui/form/fields.tsx';
import { FieldProblem, Form, useSchemaForm } from '../../ui/form/form.tsx';
import { readOptional } from '../../ui/form/schemas.ts';
import { countOf } from './rows.ts';
import { useArchive } from './use-archive.ts';
import { useView, view } from './view.ts';

/** The boxes, in the order of the design. */
const BOXES = [...BRIEFING_BOXES.filter((box) => box !== 'all'), 'all'] as const;
const messages = texts.briefings;

export function Boxes() {
  const archive = useArchive();
  const box = useView((now) => now.box);
  return (
    <section className="panel br-boxes" aria-label={messages.filters}>
      <div className="head">
        <h2>{messages.archive}</h2>
      </div>
      <div className="scroll">
        <fieldset className="br-choices" aria-label={messages.archive}>
          {BOXES.map((each) => (
            <Choice
              key={each}
              label={messages.boxes[each]}
              count={archive === null ? null : countOf(archive, each)}
              on={each === box}
              onClick={() => view.showBox(each)}
            />
          ))}
        </fieldset>
        {archive !== null && <Filters archive={archive} />}
      </div>
      {archive !== null && <Foot archive={archive} />}
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly count: number | null;
  readonly on: boolean;
  readonly onClick: () => void;
}

const Choice = ({ label, count: many, on, onClick }: ChoiceProps) => (
  <button type="button" className="br-choice" aria-pressed={on} onClick={onClick}>
    <span className="ell">{label}</span>
    {many !== null && <span className="br-count cond t3 right">{count(many)}</span>}
  </button>
);

function Filters({ archive }: { archive: ArchiveView }) {
  const types = useView((now) => now.types);
  const authors = useView((now) => now.authors);
  const { types: ofType, authors: ofAuthor } = archive.briefings;
  return (
    <>
      <h3 className="group">{messages.type}</h3>
      <fieldset className="br-choices" aria-label={messages.type}>
        {[...new Set([...Object.keys(messages.types), ...ofType.map(({ name }) => name)])].map((type) => (
          <Choice
            key={type}
            label={messages.typeLabel(type)}
            count={ofType.find(({ name }) => name === type)?.all ?? 0}
            on={types.includes(type)}
            onClick={() => view.toggleType(type)}
          />
        ))}
      </fieldset>
      {ofAuthor.length > 0 && (
        <>
          <h3 className="group">{messages.author}</h3>
          <fieldset className="br-choices" aria-label={messages.author}>
            {ofAuthor.map(({ name, all }) => (
              <Choice
                key={name}
                label={name}
                count={all}
                on={authors.includes(name)}
                onClick={() => view.toggleAuthor(name)}
              />
            ))}
          </fieldset>
        </>
      )}
      <Days />
      <OneSymbol />
    </>
  );
}

function Days() {
  const from = useView((now) => now.from);
  const to = useView((now) => now.to);
  return (
    <>
      <h3 className="group">{messages.dates}</h3>
      <div className="br-fields">
        <DayRangeFields
          range={{ from, to }}
          labels={messages}
          onChange={(range) => view.setDays(range.from, range.to)}
        />
      </div>
    </>
  );
}

const symbolSchema = z.object({
  symbol: readOptional((text) => SymbolParamSchema.safeParse(text.trim()).data ?? null, messages.badSymbol),
});

function OneSymbol() {
  const symbol = useView((now) => now.symbol);
  const form = useSchemaForm(symbolSchema, { values: { symbol } });
  const { id, input, problem } = useTextInput({ control: form.control, name: 'symbol' });
  const apply = (chosen: { readonly symbol: string | null }): undefined => {
    view.setSymbol(chosen.symbol ?? '');
  };
  return (
    <Form form={form} className="br-fields" onSubmit={apply}>
      <label>
        <span className="t3 cond">{messages.symbol}</span>
        <input
          {...input}
          className="field"
          placeholder={messages.symbolHint}
          maxLength={20}
          onBlur={() => void form.handleSubmit(apply)()}
        />
      </label>
      <FieldProblem id={id}>{problem}</FieldProblem>
    </Form>
  );
}

/** The part of the archive that is stored here, and readable offline. */
function Foot({ archive }: { archive: ArchiveView }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const { briefings, filling, complete, problem, checked } = archive;
  return (
    <div className="br-foot cond">
      {filling !== null ? (
        <>
          <p>{messages.filling(count(filling.done), count(filling.of))}</p>
          <progress max={Math.max(1, filling.of)} value={filling.done} aria-label={messages.fillingWhat} />
        </>
      ) : (
        <p>
          {complete && messages.onDisk(briefings.all, briefings.textless)}
          {!complete && briefings.all > 0 && messages.partly(count(briefings.all))}{' '}
          {checked !== null && messages.checked(shortTimestamp(Date.parse(checked.at), zone, now))}
        </p>
      )}
      {problem !== null && <p className="t1">{textOf(problem)}</p>}
    </div>
  );
}
