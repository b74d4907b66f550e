// Renderer: the form that adds symbols to a watchlist; it stays open for the next ones.
import { z } from 'zod';
import { addSymbols, positionOf } from '../../../shared/domain/watchlist-edits.ts';
import { symbolsOf, type Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useListEdits } from '../../store/list-edits.ts';
import { useSnapshot } from '../../store/store.ts';
import { useTextInput } from '../../ui/form/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form/form.tsx';
import { optionalSymbols } from '../../ui/form/schemas.ts';
import { IconButton } from '../../ui/icon-button.tsx';

const schema = z.object({ symbols: optionalSymbols(texts.lists.noSymbol) });

/** Adds to the section of the chosen symbol, else to the first. */
export function AddSymbols({ list, onClose }: { list: Watchlist; onClose: () => void }) {
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const edits = useListEdits();
  const section = (selected === null ? null : positionOf(list, selected)?.section) ?? 0;
  const name = list.sections[section]?.name ?? texts.lists.firstSection;
  const form = useSchemaForm(schema, { defaultValues: { symbols: '' } });
  const { id, input, problem } = useTextInput({ control: form.control, name: 'symbols' });
  const add = ({ symbols }: z.output<typeof schema>): undefined => {
    form.reset();
    if (symbols === null) return;
    const listed = new Set(symbolsOf(list));
    const fresh = symbols.filter((symbol) => !listed.has(symbol));
    if (fresh.length === 0) edits.say(texts.lists.alreadyListed(symbols));
    else
      edits.edit(
        list,
        (now) => addSymbols(now, fresh, section, texts.lists.firstSection),
        texts.lists.added(fresh, name),
      );
  };
  return (
    <Form form={form} className="wl-add" onSubmit={add}>
      <input
        {...input}
        className="field"
        // biome-ignore lint/a11y/noAutofocus: the user asked for this field.
        autoFocus
        aria-label={texts.lists.addTo(name)}
        placeholder={texts.lists.addHint}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      />
      <button type="submit" className="btn line">
        {texts.lists.add}
      </button>
      <IconButton icon="close" label={texts.common.close} onClick={onClose} />
      <span id={`${id}-problem`} className="field-cure" aria-live="polite">
        {problem}
      </span>
    </Form>
  );
}
