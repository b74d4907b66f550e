// Renderer, watch: marks symbols with faulty prices, in their row and in the header.
// The note beside the mark names the fault.
import type { RowSignal } from '../../../shared/channels/state.ts';
import { Icon } from '../../ui/icon.tsx';
import { faultText } from './row-label.ts';

/** The mark in a row, whose name has the text. */
export function PriceFaultIcon({ signal }: { signal: RowSignal | null }) {
  const text = faultText(signal);
  return text === null ? null : (
    <span className="fault-mark" title={text}>
      <Icon name="warn" size={11} />
    </span>
  );
}

export function PriceFaultTag({ signal }: { signal: RowSignal }) {
  const text = faultText(signal);
  // A price in question has a control of its own.
  return text === null || signal.price_question !== undefined ? null : (
    <span className="tag fault" title={signal.note}>
      {text}
    </span>
  );
}
