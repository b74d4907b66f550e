// Renderer, settings: how many keys are too old, locked or missing.
import { useApp } from '../../store/store.ts';
import { settingsText } from '../../text/settings.ts';

export function useSettingsBadge() {
  const count = useApp(
    (state) =>
      state.features.profiles?.profiles.filter(
        ({ key }) => key !== null && (key.rotation_due || key.status === 'locked' || key.status === 'failed'),
      ).length ?? 0,
  );
  return count === 0 ? null : { count, hot: false, label: settingsText.due(count) };
}
