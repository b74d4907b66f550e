// Main, core: the contract's names of events, in any case and with any separators.
import { STATES, type State } from '../../../shared/domain/states.ts';
import { EVENT_NAMES, signalEvent } from '../../../shared/wire/events.ts';

/** Compares letters and digits only: `SIGNAL.HighRisk` is `signal.high_risk`. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const KNOWN_NAMES: ReadonlyMap<string, string> = new Map(
  [...EVENT_NAMES, 'signal.created'].map((name) => [folded(name), name]),
);

/** The contract's spelling of a name; null: the contract does not have it. */
export const namedEvent = (name: string): string | null => KNOWN_NAMES.get(folded(name)) ?? null;
export const isKnownName = (name: string): boolean => namedEvent(name) !== null;

export const STATE_OF_NAME: ReadonlyMap<string, State> = new Map(
  STATES.map((entered) => [signalEvent(entered), entered]),
);
