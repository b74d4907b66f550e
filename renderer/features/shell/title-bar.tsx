// Renderer: the title bar: logo, pages, environment, theme.

import type { PageId } from '../../../shared/domain/window-routes.ts';
import { texts } from '../../../shared/text/texts.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { Logo } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ProfilesMenu } from '../profiles/index.ts';
import { Tabs } from './tabs.tsx';

interface TitleBarProps {
  readonly page: PageId;
  readonly onFind: () => void;
  readonly onKeys: () => void;
}

export function TitleBar({ page, onFind, onKeys }: TitleBarProps) {
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
        <span className="find-label">{texts.common.find}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <IconButton
        icon="keys"
        size={15}
        className="theme"
        label={texts.keys.button}
        title={`${texts.keys.button} (?)`}
        onClick={onKeys}
      />
      <ThemeButton />
    </header>
  );
}

function ThemeButton() {
  const theme = usePreference((preference) => preference.theme);
  const label = theme === 'dark' ? texts.common.toLight : texts.common.toDark;
  return (
    <IconButton
      icon={theme === 'dark' ? 'sun' : 'moon'}
      size={15}
      className="theme"
      label={label}
      hasTitle
      onClick={() => preferences.setTheme(theme === 'dark' ? 'light' : 'dark')}
    />
  );
}
