// Renderer: the boxes of the archive and its filters: type, author, symbol, days. At its foot, how much of it is on this disk.
import { useState } from 'react';
import type { ArchiveFace } from '../../../shared/channels/archive.ts';
import { BRIEFING_BOXES } from '../../../shared/channels/archive.ts';
import { SymbolParamSchema } from '../../../shared/wire/primitives.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { en } from '../../text/en.ts';
import { count, moment } from '../../text/format.ts';
import { DayField } from '../../ui/day-field.tsx';
import { useDayRange } from '../../ui/use-day-range.ts';
import { countOf } from './rows.ts';
import { useArchive } from './use-archive.ts';
import { useView, view } from './view.ts';

/** The boxes, in the order of the design. */
const BOXES = [...BRIEFING_BOXES.filter((box) => box !== 'all'), 'all'] as const;
const words = en.briefings;

export function Boxes() {
  const face = useArchive();
  const box = useView((now) => now.box);
  return (
    <section className="panel br-boxes" aria-label={words.filters}>
      <div className="head">
        <h2>{words.archive}</h2>
      </div>
      <div className="scroll">
        <fieldset className="br-choices" aria-label={words.archive}>
          {BOXES.map((each) => (
            <Choice
              key={each}
              label={words.boxes[each]}
              count={face === null ? null : countOf(face, each)}
              on={each === box}
              onClick={() => view.showBox(each)}
            />
          ))}
        </fieldset>
        {face !== null && <Filters face={face} />}
      </div>
      {face !== null && <Foot face={face} />}
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

function Filters({ face }: { face: ArchiveFace }) {
  const types = useView((now) => now.types);
  const authors = useView((now) => now.authors);
  const { types: ofType, authors: ofAuthor } = face.briefings;
  return (
    <>
      <h3 className="group">{words.type}</h3>
      <fieldset className="br-choices" aria-label={words.type}>
        {(Object.keys(words.types) as (keyof typeof words.types)[]).map((type) => (
          <Choice
            key={type}
            label={words.types[type]}
            count={ofType.find(({ name }) => name === type)?.all ?? 0}
            on={types.includes(type)}
            onClick={() => view.toggleType(type)}
          />
        ))}
      </fieldset>
      {ofAuthor.length > 0 && (
        <>
          <h3 className="group">{words.author}</h3>
          <fieldset className="br-choices" aria-label={words.author}>
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
      <h3 className="group">{words.dates}</h3>
      <div className="br-fields">
        {(['from', 'to'] as const).map((end) => (
          <DayField
            key={end}
            label={words[end]}
            value={typed[end]}
            isWrong={bad !== null}
            describedBy="br-range"
            onChange={(text) => change({ from: typed.from, to: typed.to, [end]: text })}
            onLeave={leave}
          />
        ))}
        {bad !== null && (
          <p className="wrong" id="br-range">
            {words.badDays[bad]}
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
        <span className="t3 cond">{words.symbol}</span>
        <input
          className="field"
          placeholder={words.symbolHint}
          maxLength={20}
          value={typed.text}
          aria-invalid={bad}
          aria-describedby={bad ? 'br-symbol' : undefined}
          onChange={(event) => setTyped({ text: event.target.value, of: symbol })}
        />
      </label>
      {bad && (
        <p className="wrong" id="br-symbol">
          {words.badSymbol}
        </p>
      )}
    </form>
  );
}

/** What of the archive is here, and what can be read without the service. */
function Foot({ face }: { face: ArchiveFace }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const { briefings, filling, complete, problem, checked } = face;
  return (
    <div className="br-foot cond">
      {filling !== null ? (
        <>
          <p>{words.filling(count(filling.done), count(filling.of))}</p>
          <progress max={Math.max(1, filling.of)} value={filling.done} aria-label={words.fillingWhat} />
        </>
      ) : (
        <p>
          {complete ? words.onDisk(briefings.all, briefings.textless) : words.partly(count(briefings.all))}{' '}
          {checked !== null && words.checked(moment(Date.parse(checked.at), zone, now))}
        </p>
      )}
      {problem !== null && <p className="t1">{problem}</p>}
    </div>
  );
}
