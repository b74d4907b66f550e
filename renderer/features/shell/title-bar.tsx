// Renderer: the title bar: logo, pages, environment, theme.

import type { RefObject } from 'react';
import type { PageId } from '../../../shared/domain/window-routes.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { en } from '../../text/en.ts';
import { Logo } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ProfilesMenu } from '../profiles/index.ts';
import { Tabs } from './tabs.tsx';

interface TitleBarProps {
  readonly page: PageId;
  readonly onFind: () => void;
  readonly onKeys: () => void;
  /** The button of the key sheet, which gets the focus back. */
  readonly keysButton: RefObject<HTMLButtonElement | null>;
}

export function TitleBar({ page, onFind, onKeys, keysButton }: TitleBarProps) {
  return (
    <header className="title">
      <div className="logo">
        <Logo />
      </div>
      <Tabs page={page} />
      <div className="grow" />
      <ProfilesMenu />
      <button type="button" className="find" onClick={onFind} aria-keyshortcuts="Control+K Meta+K">
        <Icon name="search" />
        <span className="find-label">{en.find}</span>
        <kbd>Ctrl K</kbd>
      </button>
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
