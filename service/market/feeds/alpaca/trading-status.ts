// Service, Alpaca: decodes halts and resumptions of the two consolidated tapes.
import { newYorkDate, zonedTime } from '../../../../shared/domain/sessions.ts';
import type { TapeAction } from '../../tape/tape-action.ts';
import type { StatusMessage } from './messages.ts';

/** Tapes A and B (CTA plan). */
const CTA = { halted: ['2'], resumed: ['3'] };
/** Tapes C and O (UTP plan): halt, pause; trading resumption. Quotations resume earlier (Q). */
const UTP = { halted: ['H', 'P'], resumed: ['T'] };

/** null: the message does not change trading, such as an indication of prices. */
export function statusAction(message: StatusMessage, symbol: string): TapeAction | null {
  const codes = message.z === 'A' || message.z === 'B' ? CTA : UTP;
  const kind = codes.halted.includes(message.sc) ? 'halt' : codes.resumed.includes(message.sc) ? 'resume' : null;
  if (kind === null) return null;
  // The note has the time, because a share may halt several times a day.
  const { minute } = zonedTime(message.t, 'America/New_York');
  const time = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
  const reason = (message.rm || message.sm || (kind === 'halt' ? 'Halted' : 'Resumed')).slice(0, 200);
  return { kind, symbol, date: newYorkDate(message.t), factor: null, note: `${reason} (${time} in New York)` };
}
