// Renderer: the filters of the list, as chips.
import { useEffect, useMemo, useRef } from 'react';
import { ASSET_CLASSES, type AssetClass } from '../../../shared/domain/instruments.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { type State, stateLabel } from '../../../shared/domain/states.ts';
import { useBoard } from '../../store/store.ts';
import { alerts as words } from '../../text/alerts.ts';
import { en } from '../../text/en.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { isCommand } from '../../ui/keys.ts';
import { Menu, MenuChoice } from '../../ui/menu.tsx';
import { DAYS, type Filters, type Line } from './filters.ts';
import { useView, view } from './view-store.ts';

const ANY = '';

export function FilterBar({ lines }: { lines: readonly Line[] }) {
  const filters = useView((state) => state.filters);
  const watchlists = useBoard((board) => board.watchlists);
  const regimes = useMemo(
    () =>
      [...new Set(lines.flatMap(({ subject }) => subject.alert.transition.regime ?? []))].sort((a, b) =>
        a.localeCompare(b),
      ),
    [lines],
  );
  const lists = [
    { value: 'watched', label: words.filters.watched },
    ...watchlists.map(({ id, name }) => ({ value: id, label: name })),
    { value: 'all', label: words.filters.all },
  ];
  const any = { value: ANY, label: words.filters.any };
  return (
    <section className="al-filters" aria-label={words.filters.label}>
      <fieldset className="al-chips" aria-label={words.filters.states}>
        {([2, 1, 0] as const).map((state) => (
          <StateChip key={state} state={state} filters={filters} />
        ))}
      </fieldset>
      <Choice
        label={words.filters.listLabel}
        text={words.filters.list(lists.find(({ value }) => value === filters.list)?.label ?? words.filters.all)}
        value={filters.list}
        atFirst="watched"
        options={lists}
        onChange={(list) => view.filter({ list })}
      />
      <Choice
        label={words.filters.regimeLabel}
        text={words.filters.regime(filters.regime === null ? words.filters.any : regimeLabel(filters.regime))}
        value={filters.regime ?? ANY}
        atFirst={ANY}
        options={[any, ...regimes.map((name) => ({ value: name, label: regimeLabel(name) }))]}
        onChange={(regime) => view.filter({ regime: regime === ANY ? null : regime })}
      />
      <Choice
        label={words.filters.classLabel}
        text={words.filters.class(
          filters.assetClass === null ? words.filters.any : en.header.classes[filters.assetClass],
        )}
        value={filters.assetClass ?? ANY}
        atFirst={ANY}
        options={[any, ...ASSET_CLASSES.map((name) => ({ value: name as string, label: en.header.classes[name] }))]}
        onChange={(name) => view.filter({ assetClass: name === ANY ? null : (name as AssetClass) })}
      />
      <Choice
        label={words.filters.daysLabel}
        text={words.filters.days(filters.days)}
        value={String(filters.days)}
        atFirst="90"
        options={[...DAYS, null].map((days) => ({ value: String(days), label: words.filters.days(days) }))}
        onChange={(text) => view.filter({ days: DAYS.find((days) => String(days) === text) ?? null })}
      />
      <button
        type="button"
        className="al-chip"
        aria-pressed={filters.held}
        onClick={() => view.filter({ held: !filters.held })}
      >
        {words.filters.held}
        {filters.held && <Icon name="check" size={11} />}
      </button>
      <TextFilter text={filters.text} />
    </section>
  );
}

function StateChip({ state, filters }: { state: State; filters: Filters }) {
  const on = filters.states.includes(state);
  return (
    <button
      type="button"
      className="al-chip"
      aria-pressed={on}
      onClick={() =>
        view.filter({ states: on ? filters.states.filter((one) => one !== state) : [...filters.states, state] })
      }
    >
      <Glyph name={state} size={12} />
      {stateLabel(state)}
    </button>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly text: string;
  readonly value: string;
  readonly atFirst: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, text, value, atFirst, options, onChange }: ChoiceProps) {
  return (
    <Menu
      trigger={
        <button type="button" className={value === atFirst ? 'al-chip' : 'al-chip on'}>
          <span className="ell">{text}</span>
          <Icon name="down" size={10} />
        </button>
      }
    >
      <MenuChoice label={label} value={value} options={options} onChange={onChange} />
    </Menu>
  );
}

/** The key / brings one here. */
function TextFilter({ text }: { text: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || !isCommand(event)) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <span className="al-text">
      <input
        ref={field}
        className="field"
        type="search"
        aria-label={words.filters.text}
        placeholder={words.filters.placeholder}
        maxLength={100}
        value={text}
        onChange={(event) => view.filter({ text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          view.filter({ text: '' });
          field.current?.blur();
        }}
      />
      {text === '' && <span className="al-slash">/</span>}
    </span>
  );
}
