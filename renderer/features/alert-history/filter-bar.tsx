// Renderer: the filters of the list, as chips.
import { useMemo, useRef } from 'react';
import { ASSET_CLASSES, type AssetClass } from '../../../shared/domain/instruments.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { type State, stateLabel } from '../../../shared/domain/states.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useSnapshot } from '../../store/store.ts';

import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuChoice } from '../../ui/menu.tsx';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { DAYS, type Filters, type Line } from './filters.ts';
import { useView, view } from './view-store.ts';

const ANY = '';

export function FilterBar({ lines }: { lines: readonly Line[] }) {
  const filters = useView((state) => state.filters);
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const regimes = useMemo(
    () =>
      [...new Set(lines.flatMap(({ subject }) => subject.alert.transition.regime ?? []))].sort((a, b) =>
        a.localeCompare(b),
      ),
    [lines],
  );
  const lists = [
    { value: 'watched', label: texts.alerts.filters.watched },
    ...watchlists.map(({ id, name }) => ({ value: id, label: name })),
    { value: 'all', label: texts.alerts.filters.all },
  ];
  const any = { value: ANY, label: texts.alerts.filters.any };
  return (
    <section className="al-filters" aria-label={texts.alerts.filters.label}>
      <fieldset className="al-chips" aria-label={texts.alerts.filters.states}>
        {([2, 1, 0] as const).map((state) => (
          <StateChip key={state} state={state} filters={filters} />
        ))}
      </fieldset>
      <Choice
        label={texts.alerts.filters.listLabel}
        text={texts.alerts.filters.list(
          lists.find(({ value }) => value === filters.list)?.label ?? texts.alerts.filters.all,
        )}
        value={filters.list}
        atFirst="watched"
        options={lists}
        onChange={(list) => view.filter({ list })}
      />
      <Choice
        label={texts.alerts.filters.regimeLabel}
        text={texts.alerts.filters.regime(
          filters.regime === null ? texts.alerts.filters.any : regimeLabel(filters.regime),
        )}
        value={filters.regime ?? ANY}
        atFirst={ANY}
        options={[any, ...regimes.map((name) => ({ value: name, label: regimeLabel(name) }))]}
        onChange={(regime) => view.filter({ regime: regime === ANY ? null : regime })}
      />
      <Choice
        label={texts.alerts.filters.classLabel}
        text={texts.alerts.filters.class(
          filters.assetClass === null ? texts.alerts.filters.any : texts.header.classes[filters.assetClass],
        )}
        value={filters.assetClass ?? ANY}
        atFirst={ANY}
        options={[any, ...ASSET_CLASSES.map((name) => ({ value: name as string, label: texts.header.classes[name] }))]}
        onChange={(name) => view.filter({ assetClass: name === ANY ? null : (name as AssetClass) })}
      />
      <Choice
        label={texts.alerts.filters.daysLabel}
        text={texts.alerts.filters.days(filters.days)}
        value={String(filters.days)}
        atFirst="90"
        options={[...DAYS, null].map((days) => ({ value: String(days), label: texts.alerts.filters.days(days) }))}
        onChange={(text) => view.filter({ days: DAYS.find((days) => String(days) === text) ?? null })}
      />
      <button
        type="button"
        className="al-chip"
        aria-pressed={filters.suppressed}
        onClick={() => view.filter({ suppressed: !filters.suppressed })}
      >
        {texts.alerts.filters.suppressed}
        {filters.suppressed && <Icon name="check" size={11} />}
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

/** The key / focuses this field. */
function TextFilter({ text }: { text: string }) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts('alerts', { filter: () => field.current?.focus() });
  return (
    <span className="al-text">
      <input
        ref={field}
        className="field"
        type="search"
        aria-label={texts.alerts.filters.text}
        placeholder={texts.alerts.filters.placeholder}
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
