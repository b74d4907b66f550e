// Renderer, settings: how this window looks and listens. Kept in this browser's storage.
import { DENSITIES, preferences, THEME_CHOICES, usePreference } from '../../store/preferences.ts';
import { useWorldNow } from '../../store/sight.ts';
import { en } from '../../text/en.ts';
import { ZONES, zoneName, zoneOffset } from '../../text/format.ts';
import { settingsWords } from '../../text/settings.ts';
import { Segment } from '../../ui/segment.tsx';
import { Line, Section } from './parts.tsx';

const words = settingsWords.general;

export function General() {
  const theme = usePreference((preference) => preference.themeChoice);
  const zone = usePreference((preference) => preference.zone);
  const density = usePreference((preference) => preference.density);
  const singleKeys = usePreference((preference) => preference.singleKeys);
  const now = useWorldNow();
  const system = (): 'light' | 'dark' => (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
  return (
    <Section heading={settingsWords.section.general} sub={words.sub}>
      <Line name={words.theme}>
        <Segment
          label={words.theme}
          options={THEME_CHOICES.map((value) => ({ value, label: words.themes[value] }))}
          value={theme}
          onChange={(choice) => preferences.chooseTheme(choice, system())}
        />
      </Line>
      <Line name={words.zone} why={words.zoneNow(zoneName(zone), zoneOffset(now, zone))}>
        <Segment
          label={words.zone}
          options={ZONES.map((value) => ({ value, label: words.zones[value] }))}
          value={zone}
          onChange={preferences.setZone}
        />
      </Line>
      <Line name={words.density} why={words.densityWhy}>
        <Segment
          label={words.density}
          options={DENSITIES.map((value) => ({ value, label: words.densities[value] }))}
          value={density}
          onChange={preferences.setDensity}
        />
      </Line>
      <Line name={words.keys} why={en.keys.singleKeysWhy}>
        <label className="form-check">
          <input type="checkbox" checked={singleKeys} onChange={() => preferences.setSingleKeys(!singleKeys)} />
          {en.keys.singleKeys}
        </label>
      </Line>
    </Section>
  );
}
