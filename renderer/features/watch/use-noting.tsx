// Renderer: adds notes in the chart by a button, the key N or a right click.
// A click on a marker opens its note.
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import type { ChartModel } from '../../charts/model.ts';
import type { ChartNoteActions } from '../../charts/price-chart-view.tsx';
import { IconButton } from '../../ui/icon.tsx';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { NoteDialog, type NoteSubject } from './note-dialog.tsx';

interface Noting {
  readonly actions: ChartNoteActions;
  readonly button: ReactNode;
  readonly dialog: ReactNode;
}

/** A new note is about the instant of the pointer, else about the last point of the chart. */
export function useNoting({ symbol, points }: ChartModel): Noting {
  const [subject, setSubject] = useState<NoteSubject | null>(null);
  const pointed = useRef<number | null>(null);
  const last = useRef(0);
  last.current = points.at(-1)?.ms ?? 0;
  const actions = useMemo(
    (): ChartNoteActions => ({
      onPointed(at) {
        pointed.current = at;
      },
      onWanted: () => setSubject({ kind: 'new', at: pointed.current ?? last.current }),
      onOpened: setSubject,
    }),
    [],
  );
  useShortcuts('charts', { note: actions.onWanted });
  return {
    actions,
    button: <IconButton icon="note" label={texts.chart.notes.add} hasTitle onClick={actions.onWanted} />,
    dialog: subject !== null && <NoteDialog symbol={symbol} subject={subject} onClose={() => setSubject(null)} />,
  };
}
