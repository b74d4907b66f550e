// Service, briefings: what is due in the next sessions, by the lists of files and feeds.
import type { DueEvent } from '../../shared/domain/scheduled-events.ts';
import { texts } from '../../shared/text/texts.ts';
import { type Block, sectionOf } from './draft.ts';
import { dayName } from './format.ts';

const MOST_ROWS = 12;

const timeOf = ({ part, at }: DueEvent): string =>
  part !== null ? texts.due.parts[part].trim() : at === null ? 'time not stated' : `${at.slice(11, 16)} UTC`;

/** null without a list, and where the lists name nothing. @param within sessions ahead */
export const due =
  (within: number): Block =>
  (context) => {
    const { events, unread } = context.due(within);
    const gap = unread.length === 0 ? '' : `What is due is not known as a whole: ${unread.join(', ')} cannot be read.`;
    const rest = events.length - MOST_ROWS;
    return (
      sectionOf<DueEvent>(
        'Due',
        [
          ['Day', ({ day }) => dayName(day)],
          ['Symbol', ({ symbol }) => symbol ?? 'all'],
          [
            'What',
            ({ kind, title }) =>
              title === '' ? texts.due.kinds[kind] : `${texts.due.kinds[kind]}: ${title.replaceAll('|', '/')}`,
          ],
          ['When', timeOf],
        ],
        events.slice(0, MOST_ROWS),
        rest > 0 ? `${rest} more are due.` : '',
        gap,
      ) ?? (gap === '' ? null : { heading: 'Due', text: gap })
    );
  };
