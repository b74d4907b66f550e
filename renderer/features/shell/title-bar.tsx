// Renderer: the title bar: logo, pages, environment, theme.
import type { PageId } from '../../../shared/domain/window-routes.ts';
import { texts } from '../../../shared/text/texts.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { goTo } from '../../store/route.ts';
import { Logo } from '../../ui/glyph.tsx';
import { Icon, IconButton } from '../../ui/icon.tsx';
import { ProfilesMenu } from '../profiles/index.ts';
import { type Page, TABS } from './pages.ts';

interface TitleBarProps {
  readonly tab: PageId;
  readonly onFind: () => void;
  readonly onKeys: () => void;
}

export function TitleBar({ tab, onFind, onKeys }: TitleBarProps) {
  return (
    <header className="title">
      <div className="logo">
        <Logo />
      </div>
      <Tabs label={texts.common.pagesLabel} pages={TABS} current={tab} />
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
        label={texts.common.keySheet}
        title={`${texts.common.keySheet} (?)`}
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

interface TabsProps {
  readonly label: string;
  readonly pages: readonly Page[];
  readonly current: PageId;
}

export function Tabs({ label, pages, current }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {pages.map((page) => (
        <Tab key={page.id} page={page} current={page.id === current} />
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
