// Renderer: the title bar: logo, pages, environment, theme.
import { texts } from '../../../shared/text/texts.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { goTo } from '../../store/route.ts';
import { Logo } from '../../ui/glyph.tsx';
import { Icon, IconButton } from '../../ui/icon.tsx';
import { ProfilesMenu } from '../profiles/index.ts';
import { type Page, TABS, tabOf } from './pages.ts';

interface TitleBarProps {
  readonly page: Page;
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

function Tabs({ page }: { page: Page }) {
  return (
    <nav className="tabs" aria-label={texts.common.pagesLabel}>
      {TABS.map((one) => (
        <Tab key={one.id} page={one} current={one.id === tabOf(page)} />
      ))}
    </nav>
  );
}

function Tab({ page: { id, label, useBadge = noBadge }, current }: { page: Page; current: boolean }) {
  const badge = useBadge();
  return (
    <button
      type="button"
      className="tab"
      aria-current={current ? 'page' : undefined}
      onClick={() => goTo({ page: id, item: null })}
    >
      {label}
      {badge !== null && (
        <>
          <span className={badge.hot ? 'count hot' : 'count'} title={badge.label} aria-hidden="true">
            {badge.count}
          </span>
          <span className="spoken">{badge.label}</span>
        </>
      )}
    </button>
  );
}

const noBadge = (): null => null;
