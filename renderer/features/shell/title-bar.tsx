// Renderer: the title bar: house mark, pages, environment, theme.

import type { RefObject } from 'react';
import type { PageId } from '../../../shared/domain/places.ts';
import { goTo } from '../../store/place.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { Logo } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PAGES, type Page } from './pages.ts';

interface TitleBarProps {
  readonly page: PageId;
  readonly onKeys: () => void;
  /** The button of the sheet of keys, which takes the focus back. */
  readonly keysButton: RefObject<HTMLButtonElement | null>;
}

export function TitleBar({ page, onKeys, keysButton }: TitleBarProps) {
  return (
    <header className="title">
      <div className="logo">
        <Logo />
      </div>
      <nav className="tabs" aria-label={en.pagesLabel}>
        {PAGES.map((one) => (
          <Tab key={one.id} page={one} current={one.id === page} />
        ))}
      </nav>
      <div className="grow" />
      <EnvironmentTag />
      <button
        type="button"
        className="btn quiet square theme"
        aria-label={en.keys.button}
        title={`${en.keys.button} (?)`}
        onClick={onKeys}
        ref={keysButton}
      >
        <Icon name="keys" size={15} />
      </button>
      <ThemeButton />
    </header>
  );
}

function Tab({ page: { id, label, useBadge = noBadge }, current }: { page: Page; current: boolean }) {
  const badge = useBadge();
  return (
    <button
      type="button"
      className="tab"
      aria-current={current ? 'page' : undefined}
      aria-label={badge === null ? undefined : `${label}, ${badge.label}`}
      onClick={() => goTo({ page: id, item: null })}
    >
      {label}
      {badge !== null && (
        <span className={badge.hot ? 'count hot' : 'count'} title={badge.label}>
          {badge.count}
        </span>
      )}
    </button>
  );
}

const noBadge = (): null => null;

function EnvironmentTag() {
  const profile = useBoard((board) => board.profile);
  const sandbox = profile.environment === 'sandbox';
  return (
    <section className={`envtag ${profile.environment}`} aria-label={en.environmentLabel}>
      <b>{sandbox ? en.sandbox : en.production}</b>
      {profile.replay && <b className="replay">{en.replay}</b>}
      <span className="ell">{profile.label}</span>
    </section>
  );
}

function ThemeButton() {
  const theme = usePreference((preference) => preference.theme);
  const label = theme === 'dark' ? en.toLight : en.toDark;
  return (
    <button
      type="button"
      className="btn quiet square theme"
      aria-label={label}
      title={label}
      onClick={() => preferences.setTheme(theme === 'dark' ? 'light' : 'dark')}
    >
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} size={15} />
    </button>
  );
}
