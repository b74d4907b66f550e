// Renderer: the tools above a briefing: star, later, quote, find, out as a file; and how it is read: font, size, page.
import type { BriefingReading } from '../../../shared/channels/archive.ts';
import type { Laid } from '../../markdown/laid.ts';
import { laterParts } from '../../parts-later.ts';
import { useServices } from '../../services.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { FONTS, LEADINGS, MARK_READS, PAPERS, SIZES, WIDTHS } from '../../store/reading.ts';
import { useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Menu, MenuChoice, MenuItem, MenuLine } from '../../ui/menu.tsx';
import { fileStem, saveFile } from '../../ui/save-file.ts';
import { Segment } from '../../ui/segment.tsx';
import { htmlFile, markdownFile } from './briefing-file.ts';
import { printBriefing } from './print.ts';
import type { Marks } from './use-marks.ts';

const words = en.briefings;

/** Needed for a file alone. */
const htmlWriter = laterParts.add(async () => (await import('hast-util-to-html')).toHtml);

interface ToolsProps {
  readonly reading: BriefingReading;
  readonly laid: Laid | null;
  readonly marks: Marks;
  readonly onQuote: () => void;
  readonly onFind: () => void;
  readonly onList: () => void;
}

export function Tools({ reading, laid, marks, onQuote, onFind, onList }: ToolsProps) {
  return (
    <div className="head br-tools">
      <button type="button" className="btn quiet br-back" onClick={onList}>
        <Icon name="list" />
        {words.back}
      </button>
      <Tool icon="star" label={words.star} hint="F" on={reading.starred} onClick={marks.toggleStar} />
      <Tool icon="clock" label={words.keep} hint="L" on={reading.later} onClick={marks.toggleLater} />
      <Tool
        icon="check"
        label={reading.unread ? words.markRead : words.markUnread}
        hint="M"
        onClick={marks.toggleUnread}
      />
      <Tool icon="copy" label={words.quote} title={words.quoteTitle} onClick={onQuote} />
      <span className="right row br-looks">
        <Looks />
        <button
          type="button"
          className="btn quiet square"
          aria-label={words.find}
          title={`${words.find} (Ctrl F)`}
          onClick={onFind}
        >
          <Icon name="search" size={14} />
        </button>
        <SettingsMenu />
        <OutMenu reading={reading} laid={laid} />
      </span>
    </div>
  );
}

interface ToolProps {
  readonly icon: IconName;
  readonly label: string;
  readonly title?: string;
  readonly hint?: string;
  /** undefined: it does something once. */
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

/** The paper that is shown: the chosen one, else as the window is. */
export const usePaper = (): (typeof PAPERS)[number] => usePreference(({ reading, theme }) => reading.paper ?? theme);

const stepSize = (by: 1 | -1) => (): void => {
  const { size } = preferences.read().reading;
  preferences.setReading({ size: Math.max(0, Math.min(SIZES.length - 1, size + by)) });
};

/** The looks that are changed most, in reach where there is room; all of them are in the menu. */
function Looks() {
  const { font } = usePreference((preference) => preference.reading);
  return (
    <>
      <span className="br-seg-fonts">
        <Segment
          label={words.font}
          options={optionsOf(FONTS, words.fonts)}
          value={font}
          onChange={(next) => preferences.setReading({ font: next })}
        />
      </span>
      <SizeSteps />
      <span className="br-seg-papers">
        <Segment
          label={words.page}
          options={optionsOf(PAPERS, words.pages)}
          value={usePaper()}
          onChange={(paper) => preferences.setReading({ paper })}
        />
      </span>
    </>
  );
}

function SizeSteps() {
  const { size } = usePreference((preference) => preference.reading);
  return (
    <fieldset className="seg" aria-label={words.size}>
      <button type="button" aria-disabled={size === 0} onClick={stepSize(-1)}>
        <span aria-hidden="true">{words.smallerMark}</span>
        <span className="spoken">{words.smaller}</span>
      </button>
      <button type="button" aria-disabled={size === SIZES.length - 1} onClick={stepSize(1)}>
        <span aria-hidden="true">{words.largerMark}</span>
        <span className="spoken">{words.larger}</span>
      </button>
    </fieldset>
  );
}

function SettingsMenu() {
  const reading = usePreference((preference) => preference.reading);
  const paper = usePaper();
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="btn quiet square" aria-label={words.settings} title={words.settings}>
          <Icon name="letters" size={15} />
        </button>
      }
    >
      <MenuChoice
        label={words.font}
        value={reading.font}
        options={optionsOf(FONTS, words.fonts)}
        onChange={(font) => preferences.setReading({ font })}
      />
      <MenuLine />
      <MenuChoice
        label={words.page}
        value={paper}
        options={optionsOf(PAPERS, words.pages)}
        onChange={(next) => preferences.setReading({ paper: next })}
      />
      <MenuLine />
      <MenuChoice
        label={words.width}
        value={reading.width}
        options={optionsOf(WIDTHS, words.widths)}
        onChange={(width) => preferences.setReading({ width })}
      />
      <MenuLine />
      <MenuChoice
        label={words.leading}
        value={reading.leading}
        options={optionsOf(LEADINGS, words.leadings)}
        onChange={(leading) => preferences.setReading({ leading })}
      />
      <MenuLine />
      <MenuChoice
        label={words.markReadWhen}
        value={reading.markRead}
        options={optionsOf(MARK_READS, words.markReads)}
        onChange={(markRead) => preferences.setReading({ markRead })}
      />
    </Menu>
  );
}

/** The briefing as a file or on paper. What is HTML already is not offered as Markdown. */
function OutMenu({ reading, laid }: { reading: BriefingReading; laid: Laid | null }) {
  const { ingest } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const sandbox = useBoard((board) => board.profile.environment === 'sandbox');
  const source = { reading, zone, sandbox };
  const stem = fileStem(`${reading.date.slice(0, 10)} ${reading.title}`).slice(0, 80);
  const saveHtml = async (): Promise<void> => {
    if (laid === null) return;
    await htmlWriter.load();
    const loading = htmlWriter.read();
    if (loading.status === 'ready')
      saveFile(`${stem}.html`, new Blob([htmlFile(source, laid, loading.code)], { type: 'text/html;charset=utf-8' }));
    else ingest({ kind: 'problem', message: en.later.dialogFailed(words.html) });
  };
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="btn quiet square" aria-label={words.export} title={words.export}>
          <Icon name="save" size={14} />
        </button>
      }
    >
      {!reading.content_type.startsWith('text/html') && (
        <MenuItem
          onSelect={() =>
            saveFile(`${stem}.md`, new Blob([markdownFile(source)], { type: 'text/markdown;charset=utf-8' }))
          }
        >
          {words.markdown}
        </MenuItem>
      )}
      <MenuItem disabled={laid === null} onSelect={() => void saveHtml()}>
        {words.html}
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => printBriefing(reading.title, sandbox)}>{words.print}</MenuItem>
    </Menu>
  );
}
