// Renderer: the chosen symbol: its header, and the chart with what is below it. It follows the list, as one piece.
import { AsShown } from '../time/index.ts';
import { PricePanel } from './price-panel.tsx';
import { SymbolHeader } from './symbol-header.tsx';

export const SymbolPanel = ({ symbol }: { symbol: string }) => (
  <>
    <AsShown>
      <SymbolHeader symbol={symbol} />
    </AsShown>
    <PricePanel key={symbol} symbol={symbol} />
  </>
);
