// Main, host: the core of one window: can send the window to a route, also before it listens.
import type { Dispatch, LinkedCore } from '../../shared/channels/link.ts';
import { type WindowRoute, WindowRouteSchema } from '../../shared/domain/window-routes.ts';

export interface RoutedCore {
  readonly core: LinkedCore;
  /**
   * Sends the window there; at once, or as soon as it has requested its first snapshot. The last route wins.
   */
  show(route: WindowRoute): void;
}

export function createRoutedCore(core: LinkedCore, first: WindowRoute | null = null): RoutedCore {
  let pendingRoute = first;
  let isListening = false;
  let push: (name: string, payload: unknown) => void = () => undefined;
  const go = (): void => {
    if (pendingRoute === null || !isListening) return;
    push('route.requested', WindowRouteSchema.parse(pendingRoute));
    pendingRoute = null;
  };
  const dispatch: Dispatch = async (name, payload) => {
    const answer = await core.dispatch(name, payload);
    if (name === 'state.snapshot' && answer.ok && !isListening) {
      isListening = true;
      // Sends the route after the answer, for which the window waits.
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
    show(route) {
      pendingRoute = route;
      go();
    },
  };
}
