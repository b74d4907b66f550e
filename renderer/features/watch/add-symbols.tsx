// Renderer: the form that adds symbols to a watchlist, by symbol or name.
// The form stays open for the next symbols.
import { type KeyboardEvent, useId, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { type FindableInstrument, findInstruments } from '../../../shared/domain/instrument-search.ts';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { addSymbols, positionOf } from '../../../shared/domain/watchlist-edits.ts';
import { symbolsOf, type Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useInstruments } from '../../queries/instruments.ts';
import { useListEdits } from '../../store/list-edits.ts';
import { useSnapshot } from '../../store/store.ts';
import { useTextInput } from '../../ui/form/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form/form.tsx';
import { optionalSymbols, symbolsIn } from '../../ui/form/schemas.ts';
import { IconButton } from '../../ui/icon.tsx';

const schema = z.object({ symbols: optionalSymbols(texts.lists.noSymbol) });

/** Adds to the section of the chosen symbol, else to the first. */
export function AddSymbols({ list, onClose }: { list: Watchlist; onClose: () => void }) {
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const edits = useListEdits();
  const instruments = useInstruments();
  const section = (selected === null ? null : positionOf(list, selected)?.section) ?? 0;
  const name = list.sections[section]?.name ?? texts.lists.firstSection;
  const form = useSchemaForm(schema, { defaultValues: { symbols: '' } });
  const { id, input, problem } = useTextInput({ control: form.control, name: 'symbols' });
  const text = useWatch({ control: form.control, name: 'symbols' });
  const { head, options, isFirstChosen } = suggestionsFor(text, instruments);
  /** The option that the arrow keys chose, and for which text. */
  const [moved, setMoved] = useState<{ readonly text: string; readonly index: number } | null>(null);
  const current = moved?.text === text ? moved.index : isFirstChosen ? 0 : -1;
  const listId = useId();
  const listed = new Set(symbolsOf(list));
  const add = (symbols: readonly string[]): void => {
    form.reset();
    const fresh = symbols.filter((symbol) => !listed.has(symbol));
    if (fresh.length === 0) {
      edits.say(texts.lists.alreadyListed(symbols));
      return;
    }
    const uncovered = fresh.filter((symbol) => instruments.isCovered(symbol) === false);
    void edits.edit(
      list,
      (now) => addSymbols(now, fresh, section, texts.lists.firstSection),
      `${texts.lists.added(fresh, name)}${uncovered.length === 0 ? '' : ` ${texts.lists.uncovered(uncovered)}`}`,
    );
  };
  /** Adds the suggestion with the symbols typed before it. */
  const take = ({ symbol }: Suggestion): void => add([...new Set([...symbolsIn(head).good, symbol])]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = options[current];
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && chosen !== undefined && symbolsIn(head).wrong.length === 0) {
      event.preventDefault();
      take(chosen);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && options.length > 0) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : options.length - 1;
      setMoved({ text, index: current === -1 && step > 1 ? options.length - 1 : (current + step) % options.length });
    }
  };
  return (
    <Form
      form={form}
      className="wl-add"
      onSubmit={({ symbols }) => {
        if (symbols !== null) add(symbols);
        return undefined;
      }}
    >
      <input
        {...input}
        className="field"
        // biome-ignore lint/a11y/noAutofocus: the user asked for this field.
        autoFocus
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={current === -1 ? undefined : `${listId}-${current}`}
        aria-label={texts.lists.addTo(name)}
        placeholder={texts.lists.addHint}
        onKeyDown={onKeyDown}
      />
      <button type="submit" className="btn line">
        {texts.lists.add}
      </button>
      <IconButton icon="close" label={texts.common.close} onClick={onClose} />
      <span id={`${id}-problem`} className="field-cure" aria-live="polite">
        {problem}
      </span>
      <div id={listId} className="wl-suggestions" role="listbox" aria-label={texts.lists.suggestions}>
        {options.map((option, index) => (
          <SuggestionLine
            key={option.symbol}
            option={option}
            id={`${listId}-${index}`}
            isCurrent={index === current}
            isListed={listed.has(option.symbol)}
            onTake={() => take(option)}
          />
        ))}
      </div>
    </Form>
  );
}

interface SuggestionLineProps {
  readonly option: Suggestion;
  readonly id: string;
  readonly isCurrent: boolean;
  readonly isListed: boolean;
  readonly onTake: () => void;
}

function SuggestionLine({ option: { symbol, instrument }, id, isCurrent, isListed, onTake }: SuggestionLineProps) {
  const assetClass = instrument?.asset_class ?? null;
  const detail =
    instrument === null
      ? texts.lists.notCovered
      : [
          instrument.name ?? '',
          assetClass === null ? '' : texts.palette.classes[assetClass],
          isListed ? texts.lists.listed : '',
        ]
          .filter(Boolean)
          .join(' · ');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys of its list.
    // biome-ignore lint/a11y/useFocusableInteractive: the field points to the current option.
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      className={instrument === null ? 'wl-suggestion none' : 'wl-suggestion'}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      <b>{symbol}</b> <span className="ell">{detail}</span>
    </div>
  );
}

interface Suggestion {
  readonly symbol: string;
  /** null: typed, and not listed by the service. */
  readonly instrument: FindableInstrument | null;
}

interface Suggestions {
  /** The text before the part that a suggestion replaces. */
  readonly head: string;
  readonly options: readonly Suggestion[];
  /** Enter takes the first option, because the typed text is not itself a symbol of the service. */
  readonly isFirstChosen: boolean;
}

interface Instruments {
  readonly all: readonly FindableInstrument[];
  get(symbol: string): FindableInstrument | undefined;
  isCovered(symbol: string): boolean | null;
}

const MOST = 6;

/**
 * Several symbols are separated by commas or blanks. A name has blanks, too, so the whole end is tried first.
 */
export function suggestionsFor(text: string, instruments: Instruments): Suggestions {
  const end = /[^,;]*$/.exec(text)?.[0].trimStart() ?? '';
  const whole = findInstruments(instruments.all, end, MOST);
  const query = whole.length > 0 ? end : (/\S*$/.exec(end)?.[0] ?? '');
  const found = whole.length > 0 ? whole : findInstruments(instruments.all, query, MOST);
  const typed = normalizeSymbol(query);
  const isListed = instruments.get(typed) !== undefined;
  const unlisted = !isListed && isSymbol(typed) && instruments.isCovered(typed) === false;
  return {
    head: text.slice(0, text.length - query.length),
    options: [
      ...found.map((instrument) => ({ symbol: instrument.symbol, instrument })),
      ...(unlisted ? [{ symbol: typed, instrument: null }] : []),
    ],
    isFirstChosen: found.length > 0 && !isListed,
  };
}
