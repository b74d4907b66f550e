// Renderer: a row of the list: kind, desk, time; title; symbols and minutes; excerpt of a match.
import { memo } from 'react';
import type { BriefingRow } from '../../../shared/channels/archive.ts';
import { fullTimestamp, shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { HighlightedText } from '../../ui/highlighted-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { rowProps } from '../../ui/list/use-list.ts';

interface ListRowProps {
  readonly row: BriefingRow;
  readonly open: boolean;
  readonly isTabStop: boolean;
  /** Position in the list, from 1. */
  readonly position: number;
  readonly of: number;
  /** px. */
  readonly top: number;
  readonly height: number;
  readonly onOpen: (id: string) => void;
}

/** Number of symbols that are shown. */
const NAMED = 6;
const messages = texts.briefings;

export const ListRow = memo(
  ListRowOf,
  (a, b) =>
    a.row === b.row &&
    a.open === b.open &&
    a.isTabStop === b.isTabStop &&
    a.top === b.top &&
    a.position === b.position &&
    a.of === b.of &&
    a.height === b.height,
);

function ListRowOf({ row, open, isTabStop, position, of, top, height, onOpen }: ListRowProps) {
  const zone = usePreference((preference) => preference.zone);
  // Rounded to the minute: a list need not be drawn every second.
  const now = useWorldMinute();
  const flags = [
    row.unread ? messages.unread : '',
    row.starred ? messages.starred : '',
    row.later ? messages.later : '',
  ].filter((word) => word !== '');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the list handles both.
    <div
      role="option"
      aria-selected={open}
      aria-posinset={position}
      aria-setsize={of}
      {...rowProps(row.id, isTabStop)}
      className={`br-row${row.unread ? ' unread' : ''}`}
      style={{ top, height }}
      onClick={() => onOpen(row.id)}
    >
      <div className="br-line cond">
        <span className={row.type === 'transition' ? 'br-turn' : ''}>{messages.typeLabel(row.type)}</span>
        <span className="ell">{row.author}</span>
        <time className="right" dateTime={row.date} title={fullTimestamp(Date.parse(row.date), zone)}>
          {shortTimestamp(Date.parse(row.date), zone, now)}
        </time>
      </div>
      <div className="br-title">
        {row.title}
        {flags.length > 0 && <span className="spoken">, {flags.join(', ')}</span>}
      </div>
      <div className="br-line cond">
        <span className="t2 ell">
          {row.symbols.slice(0, NAMED).join(' ')}
          {row.symbols.length > NAMED ? ' …' : ''}
        </span>
        <span className="right br-flags">
          {row.starred && (
            <span className="br-star">
              <Icon name="star" size={11} />
            </span>
          )}
          {row.later && <Icon name="clock" size={11} />}
          {row.text === 'here' ? messages.minutes(row.reading_minutes) : messages.noTextHere[row.text]}
        </span>
      </div>
      {row.excerpt !== null && (
        <p className="br-excerpt">
          <HighlightedText segments={row.excerpt} />
        </p>
      )}
    </div>
  );
}
