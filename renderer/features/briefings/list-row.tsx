// Renderer: one briefing in the list: kind, desk, when; title; symbols and minutes; where the search hit.
import { memo } from 'react';
import type { BriefingRow } from '../../../shared/channels/archive.ts';
import { usePreference } from '../../store/preferences.ts';
import { useWorldNow } from '../../store/sight.ts';
import { en } from '../../text/en.ts';
import { moment, wholeMoment } from '../../text/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Pieces } from '../../ui/pieces.tsx';

interface ListRowProps {
  readonly row: BriefingRow;
  readonly open: boolean;
  /** Whether the list's one tab stop is here. */
  readonly focusable: boolean;
  /** From 1. */
  readonly place: number;
  readonly of: number;
  /** px. */
  readonly top: number;
  readonly height: number;
  readonly onOpen: () => void;
}

/** How many symbols are named. */
const NAMED = 6;
const words = en.briefings;

export const ListRow = memo(
  ListRowOf,
  (a, b) =>
    a.row === b.row &&
    a.open === b.open &&
    a.focusable === b.focusable &&
    a.top === b.top &&
    a.place === b.place &&
    a.of === b.of &&
    a.height === b.height,
);

function ListRowOf({ row, open, focusable, place, of, top, height, onOpen }: ListRowProps) {
  const zone = usePreference((preference) => preference.zone);
  // To the minute: a list need not be drawn every second.
  const now = Math.floor(useWorldNow() / 60_000) * 60_000;
  const marks = [row.unread ? words.unread : '', row.starred ? words.starred : '', row.later ? words.later : ''].filter(
    (word) => word !== '',
  );
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it hears the keys of all its rows.
    <div
      role="option"
      aria-selected={open}
      aria-posinset={place}
      aria-setsize={of}
      tabIndex={focusable ? 0 : -1}
      data-id={row.id}
      className={`br-row${row.unread ? ' unread' : ''}`}
      style={{ top, height }}
      onClick={onOpen}
    >
      <div className="br-line cond">
        <span className={row.type === 'transition' ? 'br-turn' : ''}>{words.types[row.type]}</span>
        <span className="ell">{row.author}</span>
        <time className="right" dateTime={row.date} title={wholeMoment(Date.parse(row.date), zone)}>
          {moment(Date.parse(row.date), zone, now)}
        </time>
      </div>
      <div className="br-title ell">
        {row.title}
        {marks.length > 0 && <span className="spoken">, {marks.join(', ')}</span>}
      </div>
      <div className="br-line cond">
        <span className="t2 ell">
          {row.symbols.slice(0, NAMED).join(' ')}
          {row.symbols.length > NAMED ? ' …' : ''}
        </span>
        <span className="right br-marks">
          {row.starred && (
            <span className="br-star">
              <Icon name="star" size={11} />
            </span>
          )}
          {row.later && <Icon name="clock" size={11} />}
          {row.text === 'here' ? words.minutes(row.reading_minutes) : words.noTextHere[row.text]}
        </span>
      </div>
      {row.excerpt !== null && (
        <p className="br-excerpt">
          <Pieces pieces={row.excerpt} />
        </p>
      )}
    </div>
  );
}
