// Renderer: the filters of the news: words, sentiment, source, symbol, days.
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { count } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { SENTIMENT_LABELS } from '../../../shared/wire/news.ts';
import { SymbolParamSchema } from '../../../shared/wire/primitives.ts';
import type { ChannelList } from '../../queries/use-channel-list.ts';
import { Icon } from '../../ui/icon.tsx';
import '../../ui/search-field.css';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { DayRangeFields } from '../../ui/day-range-fields.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { filtersOn, useView, view } from './view.ts';

const messages = texts.news;
const ANY = 'any';

interface FilterBarProps {
  readonly pages: ChannelList<'news.list'>;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Moves the focus from the search to the list. */
  readonly onDown: () => void;
}

export function FilterBar({ pages, search, onDown }: FilterBarProps) {
  const now = useView((each) => each);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape' && now.text !== '') view.filter({ text: '' });
    else if (event.key === 'Escape') event.currentTarget.blur();
    else if (event.key === 'Enter' || event.key === 'ArrowDown') onDown();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const sources = pages.first?.sources ?? [];
  return (
    <search className="panel news-filters" aria-label={messages.filters}>
      <h1 className="spoken">{messages.heading}</h1>
      <label className="search-field">
        <Icon name="search" />
        <input
          ref={search}
          type="search"
          aria-label={messages.search}
          placeholder={messages.searchHint}
          maxLength={200}
          value={now.text}
          onChange={(event) => view.filter({ text: event.target.value })}
          onKeyDown={onKeyDown}
        />
        <output className="cond t3">{pages.first === null ? '' : messages.count(count(pages.first.total))}</output>
      </label>
      <SegmentedControl
        label={messages.sentiment}
        value={now.sentiment ?? ANY}
        options={[
          { value: ANY, label: messages.anySentiment },
          ...SENTIMENT_LABELS.map((value) => ({ value, label: messages.sentiments[value] })),
        ]}
        onChange={(value) => view.filter({ sentiment: value === ANY ? null : value })}
      />
      <select
        className="field news-source"
        aria-label={messages.source}
        value={now.source}
        onChange={(event) => view.filter({ source: event.target.value })}
      >
        <option value="">{messages.anySource}</option>
        {[...new Set([...sources, ...(now.source === '' ? [] : [now.source])])].map((source) => (
          <option key={source} value={source}>
            {source}
          </option>
        ))}
      </select>
      <OneSymbol />
      <span className="news-field">
        <DayRangeFields range={now} labels={messages} onChange={view.filter} />
      </span>
      {filtersOn(now) > 0 && <ClearFilters label={messages.clear} onClear={view.clearFilters} quiet />}
    </search>
  );
}

function OneSymbol() {
  const symbol = useView((now) => now.symbol);
  const [typed, setTyped] = useState({ text: symbol, of: symbol });
  if (typed.of !== symbol) setTyped({ text: symbol, of: symbol });
  const change = (text: string): void => {
    const read = SymbolParamSchema.safeParse(text.trim());
    const next = text.trim() === '' ? '' : read.success ? read.data : symbol;
    setTyped({ text, of: next });
    if (next !== symbol) view.filter({ symbol: next });
  };
  const bad = typed.text.trim() !== '' && !SymbolParamSchema.safeParse(typed.text.trim()).success;
  return (
    <span className="news-field">
      <input
        className="field"
        aria-label={messages.symbol}
        placeholder={messages.symbol}
        maxLength={20}
        value={typed.text}
        aria-invalid={bad}
        aria-describedby={bad ? 'news-symbol' : undefined}
        onChange={(event) => change(event.target.value)}
      />
      {bad && (
        <span className="wrong" id="news-symbol">
          {texts.briefings.badSymbol}
        </span>
      )}
    </span>
  );
}
