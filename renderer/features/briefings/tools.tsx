// Renderer: the tools above a briefing: star, later, quote, find, export; font, size, page.
import { useMemo } from 'react';
import type { BriefingDetail } from '../../../shared/channels/archive.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { RenderResult } from '../../markdown/render-result.ts';
import { useServices } from '../../services.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { FONTS, LEADINGS, MARK_READ_POLICIES, PAGE_THEMES, SIZES, WIDTHS } from '../../store/reading-preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { Icon, IconButton, type IconName } from '../../ui/icon.tsx';
import { Menu, MenuChoice, MenuItem, MenuLine } from '../../ui/menu.tsx';
import { fileStem, saveFile } from '../../ui/save-file.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { htmlFile, markdownFile } from './briefing-file.ts';

const messages = texts.briefings;

interface ToolsProps {
  readonly briefing: BriefingDetail;
  readonly rendered: RenderResult | null;
  readonly flags: BriefingFlags;
  readonly onQuote: () => void;
  readonly onFind: () => void;
  readonly onList: () => void;
}

export function Tools({ briefing, rendered, flags, onQuote, onFind, onList }: ToolsProps) {
  return (
    <div className="head br-tools">
      <button type="button" className="btn quiet br-back" onClick={onList}>
        <Icon name="list" />
        {messages.back}
      </button>
      <Tool icon="star" label={messages.star} hint="F" on={briefing.starred} onClick={flags.toggleStar} />
      <Tool icon="clock" label={messages.keep} hint="L" on={briefing.later} onClick={flags.toggleLater} />
      <Tool
        icon="check"
        label={briefing.unread ? messages.markRead : messages.markUnread}
        hint="M"
        onClick={flags.toggleUnread}
      />
      <Tool icon="copy" label={messages.quote} title={messages.quoteTitle} onClick={onQuote} />
      <span className="right row br-reading-options">
        <ReadingOptions />
        <IconButton
          icon="search"
          size={14}
          label={messages.find}
          title={`${messages.find} (Ctrl F)`}
          onClick={onFind}
        />
        <SettingsMenu />
        <OutMenu briefing={briefing} rendered={rendered} />
      </span>
    </div>
  );
}

interface ToolProps {
  readonly icon: IconName;
  readonly label: string;
  readonly title?: string;
  readonly hint?: string;
  /** undefined: not a toggle. */
  readonly on?: boolean;
  readonly onClick: () => void;
}

const Tool = ({ icon, label, title, hint, on, onClick }: ToolProps) => (
  <button
    type="button"
    className={`btn quiet br-tool br-${icon}`}
    aria-pressed={on}
    title={title ?? label}
    onClick={onClick}
  >
    <Icon name={icon} size={14} />
    <span className="br-word">{label}</span>
    {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus; the button does. */}
    {hint !== undefined && <kbd aria-hidden="true">{hint}</kbd>}
  </button>
);

const optionsOf = <Value extends string>(values: readonly Value[], labels: Readonly<Record<Value, string>>) =>
  values.map((value) => ({ value, label: labels[value] }));

/** The page theme: the chosen one, else that of the window. */
export const usePageTheme = (): (typeof PAGE_THEMES)[number] =>
  usePreference(({ reading, theme }) => reading.pageTheme ?? theme);

const stepSize = (by: 1 | -1) => (): void => {
  const { size } = preferences.read().reading;
  preferences.setReading({ size: Math.max(0, Math.min(SIZES.length - 1, size + by)) });
};

/** The most used reading options, where there is room; the menu has all of them. */
function ReadingOptions() {
  const { font } = usePreference((preference) => preference.reading);
  return (
    <>
      <span className="br-seg-fonts">
        <SegmentedControl
          label={messages.font}
          options={optionsOf(FONTS, messages.fonts)}
          value={font}
          onChange={(next) => preferences.setReading({ font: next })}
        />
      </span>
      <SizeSteps />
      <span className="br-seg-page-themes">
        <SegmentedControl
          label={messages.page}
          options={optionsOf(PAGE_THEMES, messages.pages)}
          value={usePageTheme()}
          onChange={(pageTheme) => preferences.setReading({ pageTheme })}
        />
      </span>
    </>
  );
}

function SizeSteps() {
  const { size } = usePreference((preference) => preference.reading);
  return (
    <fieldset className="seg" aria-label={messages.size}>
      <button type="button" aria-disabled={size === 0} onClick={stepSize(-1)}>
        <span aria-hidden="true">{messages.smallerLabel}</span>
        <span className="spoken">{messages.smaller}</span>
      </button>
      <button type="button" aria-disabled={size === SIZES.length - 1} onClick={stepSize(1)}>
        <span aria-hidden="true">{messages.largerLabel}</span>
        <span className="spoken">{messages.larger}</span>
      </button>
    </fieldset>
  );
}

function SettingsMenu() {
  const reading = usePreference((preference) => preference.reading);
  const pageTheme = usePageTheme();
  return (
    <Menu align="end" trigger={<IconButton icon="letters" size={15} label={messages.settings} hasTitle />}>
      <MenuChoice
        label={messages.font}
        value={reading.font}
        options={optionsOf(FONTS, messages.fonts)}
        onChange={(font) => preferences.setReading({ font })}
      />
      <MenuLine />
      <MenuChoice
        label={messages.page}
        value={pageTheme}
        options={optionsOf(PAGE_THEMES, messages.pages)}
        onChange={(next) => preferences.setReading({ pageTheme: next })}
      />
      <MenuLine />
      <MenuChoice
        label={messages.width}
        value={reading.width}
        options={optionsOf(WIDTHS, messages.widths)}
        onChange={(width) => preferences.setReading({ width })}
      />
      <MenuLine />
      <MenuChoice
        label={messages.leading}
        value={reading.leading}
        options={optionsOf(LEADINGS, messages.leadings)}
        onChange={(leading) => preferences.setReading({ leading })}
      />
      <MenuLine />
      <MenuChoice
        label={messages.markReadWhen}
        value={reading.markRead}
        options={optionsOf(MARK_READ_POLICIES, messages.markReads)}
        onChange={(markRead) => preferences.setReading({ markRead })}
      />
    </Menu>
  );
}

/** Exports the briefing as a file or prints it. HTML is not offered as Markdown. */
function OutMenu({ briefing, rendered }: { briefing: BriefingDetail; rendered: RenderResult | null }) {
  const zone = usePreference((preference) => preference.zone);
  const sandbox = useSnapshot((snapshot) => snapshot.profile.environment === 'sandbox');
  const source = { briefing, zone, sandbox };
  const stem = fileStem(`${briefing.date.slice(0, 10)} ${briefing.title}`).slice(0, 80);
  const saveHtml = (): void => {
    if (rendered === null) return;
    saveFile(`${stem}.html`, new Blob([htmlFile(source, rendered)], { type: 'text/html;charset=utf-8' }));
  };
  return (
    <Menu align="end" trigger={<IconButton icon="save" size={14} label={messages.export} hasTitle />}>
      {!briefing.content_type.startsWith('text/html') && (
        <MenuItem
          onSelect={() =>
            saveFile(`${stem}.md`, new Blob([markdownFile(source)], { type: 'text/markdown;charset=utf-8' }))
          }
        >
          {messages.markdown}
        </MenuItem>
      )}
      <MenuItem disabled={rendered === null} onSelect={saveHtml}>
        {messages.html}
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => printBriefing(briefing.title, sandbox)}>{messages.print}</MenuItem>
    </Menu>
  );
}

/** @param title becomes the file name of a PDF */
function printBriefing(title: string, sandbox: boolean): void {
  const before = document.title;
  document.title = `${sandbox ? '[SANDBOX] ' : ''}${title}`;
  window.addEventListener(
    'afterprint',
    () => {
      document.title = before;
    },
    { once: true },
  );
  window.print();
}

export interface BriefingFlags {
  readonly toggleUnread: () => void;
  readonly toggleStar: () => void;
  readonly toggleLater: () => void;
}

/** Flags of the open briefing: read, star, later. */
export function useFlags(briefing: BriefingDetail | null): BriefingFlags {
  const { intents } = useServices();
  return useMemo(() => {
    const update =
      (change: (now: BriefingDetail) => { unread?: boolean; starred?: boolean; later?: boolean }) => (): void => {
        if (briefing !== null) intents.send('briefings.flag', { ids: [briefing.id], ...change(briefing) });
      };
    return {
      toggleUnread: update(({ unread }) => ({ unread: !unread })),
      toggleStar: update(({ starred }) => ({ starred: !starred })),
      toggleLater: update(({ later }) => ({ later: !later })),
    };
  }, [intents, briefing]);
}
