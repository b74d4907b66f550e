// Renderer: binds actions to the shortcuts of a group while the component is mounted.
import { useEffect, useLayoutEffect, useRef } from 'react';
import { type Actions, register } from './registry.ts';
import type { Group } from './shortcuts.ts';

export function useShortcuts<Of extends Group>(group: Of, actions: Actions<Of>): void {
  const newest = useRef(actions);
  useLayoutEffect(() => {
    newest.current = actions;
  });
  useEffect(() => register(group, () => newest.current), [group]);
}
