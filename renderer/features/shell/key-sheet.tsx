// Renderer: the key sheet: keys and symbols, opened by ? or its button.
import { preferences, usePreference } from '../../store/preferences.ts';
import { en } from '../../text/en.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Glyph, type GlyphName } from '../../ui/glyph.tsx';
import { type Group, SHORTCUTS, shownKeys } from '../../ui/shortcuts/shortcuts.ts';
import './key-sheet.css';

const STATE_GLYPHS: readonly (readonly [GlyphName, string])[] = [
  [0, en.keys.normal],
  [1, en.keys.elevated],
  [2, en.keys.high],
  ['unknown', en.keys.unknown],
  ['none', en.keys.none],
];

interface KeySheetProps {
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onClose: () => void;
}

export function KeySheet({ returnTo, onClose }: KeySheetProps) {
  const singleKeys = usePreference((preference) => preference.singleKeys);
  return (
    <Dialog heading={en.keys.heading} className="key-sheet" isRead returnTo={returnTo} onClose={onClose}>
      <div className="key-groups">
        {(Object.keys(SHORTCUTS) as Group[]).map((group) => (
          <ShortcutGroup key={group} group={group} />
        ))}
        <section aria-label={en.keys.legend}>
          <h3>{en.keys.legend}</h3>
          <ul>
            {STATE_GLYPHS.map(([glyph, label]) => (
              <li key={label}>
                <Glyph name={glyph} size={14} />
                {label}
              </li>
            ))}
            <li>
              <i className="gap-swatch" />
              {en.keys.gap}
            </li>
          </ul>
        </section>
      </div>
      <label className="key-switch" title={en.keys.singleKeysWhy}>
        <input type="checkbox" checked={singleKeys} onChange={() => preferences.setSingleKeys(!singleKeys)} />
        <span>
          {en.keys.singleKeys}
          <br />
          <span className="t2">{en.keys.singleKeysWhy}</span>
        </span>
      </label>
      <div className="dialog-actions">
        <button type="button" className="btn line" onClick={onClose}>
          {en.keys.close}
        </button>
      </div>
    </Dialog>
  );
}

function ShortcutGroup({ group }: { group: Group }) {
  const { name, lines } = en.keys.groups[group];
  const labels: Readonly<Record<string, string>> = lines;
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      <dl>
        {Object.entries(SHORTCUTS[group]).map(([line, keys]) => (
          <div key={line}>
            <dt>
              {shownKeys(keys).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{labels[line]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
