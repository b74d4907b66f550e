// Renderer: the key sheet: what marks and numbers mean, then keys; opened by ? or its button.

import { texts } from '../../../shared/text/texts.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Glyph, type GlyphName } from '../../ui/glyph.tsx';
import { type Group, SHORTCUTS, shownKeys } from '../../ui/shortcuts/shortcuts.ts';
import './key-sheet.css';

const STATE_GLYPHS: readonly (readonly [GlyphName, string])[] = [
  [0, texts.keys.normal],
  [1, texts.keys.elevated],
  [2, texts.keys.high],
  ['unknown', texts.keys.unknown],
  ['none', texts.keys.none],
];

interface KeySheetProps {
  readonly onClose: () => void;
}

export function KeySheet({ onClose }: KeySheetProps) {
  const singleKeys = usePreference((preference) => preference.singleKeys);
  return (
    <Dialog heading={texts.common.keySheet} className="key-sheet" isRead onClose={onClose}>
      <div className="key-groups">
        <section aria-label={texts.keys.reading}>
          <h3>{texts.keys.reading}</h3>
          <dl>
            {texts.keys.terms.map(([term, meaning]) => (
              <div key={term}>
                <dt className="md">{term}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
        <Marks />
        {(Object.keys(SHORTCUTS) as Group[]).map((group) => (
          <ShortcutGroup key={group} group={group} />
        ))}
      </div>
      <label className="key-switch" title={texts.keys.singleKeysWhy}>
        <input type="checkbox" checked={singleKeys} onChange={() => preferences.setSingleKeys(!singleKeys)} />
        <span>
          {texts.keys.singleKeys}
          <br />
          <span className="t2">{texts.keys.singleKeysWhy}</span>
        </span>
      </label>
    </Dialog>
  );
}

const Marks = () => (
  <section aria-label={texts.keys.legend}>
    <h3>{texts.keys.legend}</h3>
    <ul>
      {STATE_GLYPHS.map(([glyph, label]) => (
        <li key={label}>
          <Glyph name={glyph} size={14} />
          {label}
        </li>
      ))}
      <li>
        <i className="gap-swatch" />
        {texts.keys.gap}
      </li>
    </ul>
  </section>
);

function ShortcutGroup({ group }: { group: Group }) {
  const { name, lines } = texts.keys.groups[group];
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
