// Renderer: the title bar: logo, pages, environment, theme.
import type { PageId } from '../../../shared/domain/window-routes.ts';
import { texts } from '../../../shared/text/texts.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { goTo } from '../../store/route.ts';
import { Logo } from '../../ui/glyph.tsx';
import { Icon, IconButton } from '../../ui/icon.tsx';
import { Menu, MenuChoice } from '../../ui/menu.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { ProfilesMenu } from '../profiles/index.ts';
import { PAGES, type Page } from './pages.ts';

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

/** How many tabs a narrow window shows. */
const NARROW = 3;

/** The pages as tabs; a narrow window shows the first ones, and the rest in a menu. */
function Tabs({ page }: { page: PageId }) {
  const narrow = useMedia('(max-width: 1179px)') && PAGES.length > NARROW + 1;
  const shown = narrow ? PAGES.slice(0, NARROW) : PAGES;
  return (
    <nav className="tabs" aria-label={texts.common.pagesLabel}>
      {shown.map((one) => (
        <Tab key={one.id} page={one} current={one.id === page} />
      ))}
      {narrow && <More pages={PAGES.slice(NARROW)} page={page} />}
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

function More({ pages, page }: { pages: readonly Page[]; page: PageId }) {
  const current = pages.find(({ id }) => id === page);
  return (
    <Menu
      trigger={
        <button type="button" className="tab" aria-current={current === undefined ? undefined : 'page'}>
          {current?.label ?? texts.common.morePages}
          <Icon name="down" size={11} />
        </button>
      }
    >
      <MenuChoice
        label={texts.common.pagesLabel}
        value={page}
        options={pages.map(({ id, label }) => ({ value: id, label }))}
        onChange={(id) => goTo({ page: id, item: null })}
      />
    </Menu>
  );
}
