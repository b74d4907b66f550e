// Main, core: a core as one window has it: it can be sent to a place of its pages, also before it listens.
import type { Dispatch, LinkedCore } from '../../../shared/channels/link.ts';
import { type Place, PlaceSchema } from '../../../shared/domain/places.ts';

export interface PlacedCore {
  readonly core: LinkedCore;
  /** The window goes there; at once, or as soon as it has asked for its first snapshot. The last place wins. */
  show(place: Place): void;
}

export function createPlacedCore(core: LinkedCore, first: Place | null = null): PlacedCore {
  let wanted = first;
  let isListening = false;
  let push: (name: string, payload: unknown) => void = () => undefined;
  const go = (): void => {
    if (wanted === null || !isListening) return;
    push('place.asked', PlaceSchema.parse(wanted));
    wanted = null;
  };
  const dispatch: Dispatch = async (name, payload) => {
    const answer = await core.dispatch(name, payload);
    if (name === 'state.snapshot' && answer.ok && !isListening) {
      isListening = true;
      // Behind the answer, which the window waits for.
      setImmediate(go);
    }
    return answer;
  };
  return {
    core: {
      dispatch,
      attach(link) {
        push = (name, payload) => link.push(name, payload);
        const detach = core.attach(link);
        return () => {
          push = () => undefined;
          detach();
        };
      },
    },
    show(place) {
      wanted = place;
      go();
    },
  };
}
