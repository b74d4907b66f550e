// Renderer: find in the open briefing: field, number of matches, next and previous.
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useFind } from './use-find.ts';

interface FindBarProps {
  readonly root: RefObject<HTMLElement | null>;
  /** Changes when the text changes. */
  readonly text: unknown;
  readonly query: string;
  /** Counts requests, so that each one focuses the field again. */
  readonly turn: number;
  readonly onQuery: (query: string) => void;
  readonly onClose: () => void;
}

const messages = texts.briefings;

export function FindBar({ root, text, query, turn, onQuery, onClose }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const find = useFind(root, query, text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every request focuses the field.
  useEffect(() => field.current?.select(), [turn]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') find.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="find-bar" aria-label={messages.find}>
      <label className="search-field">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          aria-label={messages.find}
          placeholder={messages.find}
          maxLength={200}
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <output className="cond t3">{query.trim() === '' ? '' : messages.findCount(find.at + 1, find.count)}</output>
      </label>
      <IconButton icon="up" label={messages.findPrevious} onClick={() => find.step(-1)} />
      <IconButton icon="down" label={messages.findNext} onClick={() => find.step(1)} />
      <IconButton icon="close" label={messages.findClose} onClick={onClose} />
    </search>
  );
}
