// Renderer: the boxes of the archive, the filters, and how much of the archive is on this disk.
import { useState } from 'react';
import type { ArchiveView } from '../../../shared/channels/archive.ts';
import { BRIEFING_BOXES } from '../../../shared/channels/archive.ts';
import { SymbolParamSchema } from '../../../shared/wire/primitives.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { en } from '../../text/en.ts';
import { count, shortTimestamp } from '../../text/format.ts';
import { DayField } from '../../ui/day-field.tsx';
import { useDayRange } from '../../ui/use-day-range.ts';
import { countOf } from './rows.ts';
import { useArchive } from './use-archive.ts';
import { useView, view } from './view.ts';

/** The boxes, in the order of the design. */
const BOXES = [...BRIEFING_BOXES.filter((box) => box !== 'all'), 'all'] as const;
const messages = en.briefings;

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
        {(Object.keys(messages.types) as (keyof typeof messages.types)[]).map((type) => (
          <Choice
            key={type}
            label={messages.types[type]}
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
  const { typed, bad, change, leave } = useDayRange({ from, to }, (range) => view.setDays(range.from, range.to));
  return (
    <>
      <h3 className="group">{messages.dates}</h3>
      <div className="br-fields">
        {(['from', 'to'] as const).map((end) => (
          <DayField
            key={end}
            label={messages[end]}
            value={typed[end]}
            isWrong={bad !== null}
            describedBy="br-range"
            onChange={(text) => change({ from: typed.from, to: typed.to, [end]: text })}
            onLeave={leave}
          />
        ))}
        {bad !== null && (
          <p className="wrong" id="br-range">
            {messages.badDays[bad]}
          </p>
        )}
      </div>
    </>
  );
}

function OneSymbol() {
  const symbol = useView((now) => now.symbol);
  const [typed, setTyped] = useState({ text: symbol, of: symbol });
  const [bad, setBad] = useState(false);
  if (typed.of !== symbol) setTyped({ text: symbol, of: symbol });
  const submit = (event: { preventDefault(): void }): void => {
    event.preventDefault();
    const text = typed.text.trim();
    const read = SymbolParamSchema.safeParse(text);
    setBad(text !== '' && !read.success);
    if (text === '') view.setSymbol('');
    else if (read.success) view.setSymbol(read.data);
  };
  return (
    <form className="br-fields" onSubmit={submit} onBlur={submit}>
      <label>
        <span className="t3 cond">{messages.symbol}</span>
        <input
          className="field"
          placeholder={messages.symbolHint}
          maxLength={20}
          value={typed.text}
          aria-invalid={bad}
          aria-describedby={bad ? 'br-symbol' : undefined}
          onChange={(event) => setTyped({ text: event.target.value, of: symbol })}
        />
      </label>
      {bad && (
        <p className="wrong" id="br-symbol">
          {messages.badSymbol}
        </p>
      )}
    </form>
  );
}

/** How much of the archive is stored here, and readable offline. */
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
          {complete ? messages.onDisk(briefings.all, briefings.textless) : messages.partly(count(briefings.all))}{' '}
          {checked !== null && messages.checked(shortTimestamp(Date.parse(checked.at), zone, now))}
        </p>
      )}
      {problem !== null && <p className="t1">{problem}</p>}
    </div>
  );
}
