// Renderer, settings: theme, zone, row height and keys of this window, in the browser's storage.

import { ZONES, zoneName, zoneOffset } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { DENSITIES, preferences, THEME_CHOICES, usePreference } from '../../store/preferences.ts';

import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Line, Section } from './section.tsx';

const messages = texts.settings.general;

export function General() {
  const theme = usePreference((preference) => preference.themeChoice);
  const zone = usePreference((preference) => preference.zone);
  const density = usePreference((preference) => preference.density);
  const singleKeys = usePreference((preference) => preference.singleKeys);
  const now = useWorldNow();
  const system = (): 'light' | 'dark' => (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
  return (
    <Section heading={texts.settings.section.general} sub={messages.sub}>
      <Line name={messages.theme}>
        <SegmentedControl
          label={messages.theme}
          options={THEME_CHOICES.map((value) => ({ value, label: messages.themes[value] }))}
          value={theme}
          onChange={(choice) => preferences.chooseTheme(choice, system())}
        />
      </Line>
      <Line name={messages.zone} why={messages.zoneNow(zoneName(zone), zoneOffset(now, zone))}>
        <SegmentedControl
          label={messages.zone}
          options={ZONES.map((value) => ({ value, label: messages.zones[value] }))}
          value={zone}
          onChange={preferences.setZone}
        />
      </Line>
      <Line name={messages.density} why={messages.densityWhy}>
        <SegmentedControl
          label={messages.density}
          options={DENSITIES.map((value) => ({ value, label: messages.densities[value] }))}
          value={density}
          onChange={preferences.setDensity}
        />
      </Line>
      <Line name={messages.keys} why={texts.keys.singleKeysWhy}>
        <label className="form-check">
          <input type="checkbox" checked={singleKeys} onChange={() => preferences.setSingleKeys(!singleKeys)} />
          {texts.keys.singleKeys}
        </label>
      </Line>
    </Section>
  );
}
