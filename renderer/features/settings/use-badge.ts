// Renderer, settings: how many keys are too old, locked or missing.

import { texts } from '../../../shared/text/texts.ts';
import { useApp } from '../../store/store.ts';

export function useSettingsBadge() {
  const count = useApp(
    (state) =>
      state.features.profiles?.profiles.filter(
        ({ key }) => key !== null && (key.rotation_due || key.status === 'locked' || key.status === 'failed'),
      ).length ?? 0,
  );
  return count === 0 ? null : { count, hot: false, label: texts.common.keysDue(count) };
}
