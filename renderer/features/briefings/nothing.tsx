// Renderer: the list has no rows: why, and what to do.
import type { ReactNode } from 'react';
import { en } from '../../text/en.ts';
import { count } from '../../text/format.ts';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { chipsOf, countOf } from './rows.ts';
import { useArchive } from './use-archive.ts';
import { useView, view } from './view.ts';

const words = en.briefings;

export function Nothing() {
  const now = useView((each) => each);
  const face = useArchive();
  const filters = chipsOf(now).length + (now.text.trim() === '' ? 0 : 1);
  if (face === null || (face.briefings.all === 0 && filters === 0))
    return <Words heading={words.emptyArchive} how={face?.problem ?? words.emptyArchiveHow} />;
  if (filters === 0)
    return <Words heading={words.nothingIn[now.box]} how={words.nothingHow[now.box](count(face.briefings.all))} />;
  return (
    <Words heading={words.noMatch} how={words.hidden(count(countOf(face, now.box)), filters, words.boxes[now.box])}>
      <ClearFilters words={words.clear} onClear={view.clearFilters} />
    </Words>
  );
}

function Words({ heading, how, children }: { heading: string; how: string; children?: ReactNode }) {
  return (
    <div className="nothing" role="status">
      <p className="md">{heading}</p>
      <p className="t2">{how}</p>
      {children}
    </div>
  );
}
