// Renderer: one section of the watchlist: its name, how many are in which state, its rows.
import { memo } from 'react';
import { stateLabel } from '../../../shared/domain/states.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { faceOf, tally } from '../../store/select.ts';
import { useBlind } from '../../store/sight.ts';
import { useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { WatchRow } from './watch-row.tsx';

interface SectionProps {
  readonly section: Watchlist['sections'][number];
  /** The symbol that holds the list's tab stop. */
  readonly stop: string | null;
}

export const SectionRows = memo(function SectionRows({ section, stop }: SectionProps) {
  return (
    <tbody aria-label={section.name}>
      <tr>
        <th className="wl-section" colSpan={8} scope="rowgroup">
          <div>
            {section.name}
            <Tally symbols={section.symbols} />
          </div>
        </th>
      </tr>
      {section.symbols.map((symbol) => (
        <WatchRow key={symbol} symbol={symbol} focusable={symbol === stop} />
      ))}
    </tbody>
  );
});

function Tally({ symbols }: { symbols: readonly string[] }) {
  const rows = useBoard((board) => board.rows);
  const blind = useBlind();
  if (blind) return <span className="tally">{en.blind.notKnown}</span>;
  return (
    <span className="tally">
      {tally(symbols.map((symbol) => faceOf(rows[symbol], blind))).map(({ state, count }) => (
        <span className="tally-part" key={state}>
          <Glyph name={state} size={10} />
          {count}
          <span className="spoken">{stateLabel(state)}</span>
        </span>
      ))}
    </span>
  );
}
