// Renderer: the reason why the list is empty, and what the user can do.
import type { ReactNode } from 'react';
import { count } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { chipsOf, countOf } from './rows.ts';
import { useArchive } from './use-archive.ts';
import { useView, view } from './view.ts';

const messages = texts.briefings;

export function EmptyList() {
  const now = useView((each) => each);
  const archive = useArchive();
  const filters = chipsOf(now).length + (now.text.trim() === '' ? 0 : 1);
  if (archive === null || (archive.briefings.all === 0 && filters === 0))
    return (
      <EmptyMessage
        heading={messages.emptyArchive}
        how={archive?.problem == null ? messages.emptyArchiveHow : textOf(archive.problem)}
      />
    );
  if (filters === 0)
    return (
      <EmptyMessage
        heading={messages.nothingIn[now.box]}
        how={messages.nothingHow[now.box](count(archive.briefings.all))}
      />
    );
  return (
    <EmptyMessage
      heading={messages.noMatch}
      how={messages.hidden(count(countOf(archive, now.box)), filters, messages.boxes[now.box])}
    >
      <ClearFilters label={messages.clear} onClear={view.clearFilters} />
    </EmptyMessage>
  );
}

function EmptyMessage({ heading, how, children }: { heading: string; how: string; children?: ReactNode }) {
  return (
    <div className="nothing" role="status">
      <p className="md">{heading}</p>
      <p className="t2">{how}</p>
      {children}
    </div>
  );
}
