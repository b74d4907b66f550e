// Bench: forces transitions of one symbol of a service in this process, through the ordinary path.
import type { Service } from '../../../service/service.ts';

/** @returns forces one, and returns the id of its event once that is durable */
export function createTransitions({ signals }: Service): () => string {
  const [{ symbol } = { symbol: '' }] = signals.all();
  let isUp = false;
  return () => {
    isUp = !isUp;
    const forced = signals.trigger(isUp ? 'signal.elevated' : 'signal.normal', symbol);
    if ('refused' in forced) throw new Error(forced.refused);
    const last = forced.events.at(-1);
    if (last === undefined) throw new Error('a forced transition has no event');
    return last.event_id;
  };
}
