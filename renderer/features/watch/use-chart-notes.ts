// Renderer: the notes of a symbol, its own and those of its alerts, as the chart draws them.
import { useMemo } from 'react';
import type { ChartNote } from '../../charts/model.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';

const NONE: readonly ChartNote[] = [];

export function useChartNotes(symbol: string): readonly ChartNote[] {
  const read = useChannelQuery('notes.read', { symbol }).data;
  return useMemo(
    () =>
      read?.notes.map((note): ChartNote => {
        const shared = { at: Date.parse(note.at), text: note.text };
        return note.kind === 'symbol'
          ? { kind: note.kind, id: note.id, ...shared }
          : { kind: note.kind, ledgerId: note.ledger_id, ...shared };
      }) ?? NONE,
    [read],
  );
}
