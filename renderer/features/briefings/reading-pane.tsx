// Renderer: the open briefing: tools, text and side panel.
import { type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import type { BriefingDetail } from '../../../shared/channels/archive.ts';
import { fullTimestamp, zoneOffset } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { RenderResult, TextForm } from '../../markdown/render-result.ts';
import { parseSearchTerms, segmentsOf } from '../../markdown/search-terms.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useServices } from '../../services.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { useShownMoment } from '../../store/shown-moment.ts';
import { useSnapshot } from '../../store/store.ts';
import { HighlightedText } from '../../ui/highlighted-text.tsx';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { copyText } from '../../ui/text-dialog.tsx';
import { Beside } from './beside.tsx';
import { quotation, sourceOf } from './briefing-file.ts';
import { BriefingText, useRendered } from './briefing-text.tsx';
import { FindBar } from './find-bar.tsx';
import { StatesThen } from './then-now.ts';
import { type BriefingFlags, Tools, useFlags, usePageTheme } from './tools.tsx';
import { useView, view } from './view.ts';

const messages = texts.briefings;

/** The pane's functions for the keys of the page. */
export interface PaneHandle {
  readonly flags: BriefingFlags;
  readonly openFind: () => void;
}

interface ReadingPaneProps {
  /** The scrolled element; focused when a briefing is to be read. */
  readonly scroll: RefObject<HTMLDivElement | null>;
  readonly handle: RefObject<PaneHandle | null>;
  /** State of the open briefing's text, for the key that turns its pages. */
  readonly textState: RefObject<TextState>;
}

export function ReadingPane(props: ReadingPaneProps) {
  const open = useView((now) => now.open);
  return (
    <section className="panel br-pane" aria-label={messages.pane}>
      {open === null ? (
        <div className="nothing">
          <h1 className="md">{messages.choose}</h1>
          <p className="t2">{messages.chooseHow}</p>
        </div>
      ) : (
        <Opened key={open} id={open} {...props} />
      )}
    </section>
  );
}

function Opened({ id, ...props }: ReadingPaneProps & { id: string }) {
  const query = useChannelQuery('briefings.read', { id });
  useTextState(props.textState, query.data !== undefined ? null : query.isError ? 'missing' : 'awaited');
  const shown = useShownMoment();
  if (query.data !== undefined && shown !== null && Date.parse(query.data.date) > shown)
    return <p className="empty">{messages.laterThanShown}</p>;
  if (query.data !== undefined) return <Read briefing={query.data} {...props} />;
  return (
    <>
      <h1 className="spoken">{query.isError ? messages.noText : messages.loadingText}</h1>
      <QueryNotice query={query} loading={messages.loadingText} failed={messages.noText} />
    </>
  );
}

function Read({ briefing, scroll, handle, textState }: ReadingPaneProps & { briefing: BriefingDetail }) {
  const text = useView((now) => now.text);
  const rendered = useRendered(briefing.body, formOf(briefing.content_type));
  useTextState(textState, rendered === null ? 'awaited' : 'shown');
  const flags = useFlags(briefing);
  const [find, setFind] = useState<{ readonly query: string; readonly turn: number } | null>(null);
  const [said, setSaid] = useState('');
  const article = useRef<HTMLElement>(null);
  const sandbox = useSnapshot((snapshot) => snapshot.profile.environment === 'sandbox');
  const isPreview = useView((now) => now.isPreview);
  useMarkRead(rendered === null || isPreview ? null : briefing);
  const openFind = (): void => setFind((now) => ({ query: now?.query ?? '', turn: (now?.turn ?? 0) + 1 }));
  useEffect(() => {
    handle.current = { flags, openFind };
    return () => {
      handle.current = null;
    };
  });
  const quote = async (): Promise<void> => {
    const chosen = document.getSelection();
    const inText = chosen !== null && article.current?.contains(chosen.anchorNode) === true ? chosen.toString() : '';
    const done = await copyText(quotation({ briefing, zone: preferences.read().zone, sandbox }, inText));
    setSaid(done ? messages.quoted : messages.notCopied);
  };
  const search = parseSearchTerms(text).join(' ');
  return (
    <StatesThen value={briefing.states_then}>
      <Tools
        briefing={briefing}
        rendered={rendered}
        flags={flags}
        onQuote={() => void quote()}
        onFind={openFind}
        onList={() => view.show('list')}
      />
      {find !== null && (
        <FindBar
          root={article}
          text={rendered}
          query={find.query}
          turn={find.turn}
          onQuery={(query) => setFind({ ...find, query })}
          onClose={() => {
            setFind(null);
            scroll.current?.focus();
          }}
        />
      )}
      <output className="br-said cond">{said}</output>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by key. */}
      <div className="scroll br-read" role="document" aria-label={briefing.title} tabIndex={0} ref={scroll}>
        <DocumentPage>
          <Article ref={article} briefing={briefing} rendered={rendered} search={search} sandbox={sandbox} />
        </DocumentPage>
        <Beside briefing={briefing} />
      </div>
    </StatesThen>
  );
}

/** @param now null: a child sets it */
function useTextState(textState: RefObject<TextState>, now: TextState | null): void {
  useEffect(() => {
    if (now === null) return;
    textState.current = now;
    return () => {
      textState.current = 'none';
    };
  }, [textState, now]);
}

/** The page of the text, in the colours and fonts that the user prefers. */
function DocumentPage({ children }: { children: ReactNode }) {
  const { font, size, width, leading } = usePreference((preference) => preference.reading);
  const pageTheme = usePageTheme();
  return (
    <div
      className={`document-page document-page-${pageTheme} font-${font} size-${size} width-${width} leading-${leading}`}
      data-theme={pageTheme === 'dark' ? 'dark' : 'light'}
    >
      {children}
    </div>
  );
}

const formOf = (type: string): TextForm =>
  type.startsWith('text/html') ? 'html' : type.startsWith('text/markdown') ? 'markdown' : 'plain';

interface ArticleProps {
  readonly ref: Ref<HTMLElement>;
  readonly briefing: BriefingDetail;
  readonly rendered: RenderResult | null;
  /** Folded words, separated by one space. */
  readonly search: string;
  readonly sandbox: boolean;
}

/** A briefing as shown: kind, desk, date with zone, minutes; title; text. */
function Article({ ref, briefing, rendered, search, sandbox }: ArticleProps) {
  const zone = usePreference((preference) => preference.zone);
  const { type, author, date, title, reading_minutes: minutes, summary, body, symbols } = briefing;
  const at = Date.parse(date);
  return (
    <article className="article" ref={ref}>
      <p className="by">
        <span className={type === 'transition' ? 'br-turn md' : 't2 md'}>{messages.typeLabel(type)}</span>
        <span>{author}</span>
        <time dateTime={date}>
          {fullTimestamp(at, zone)} <span className="offset">{zoneOffset(at, zone)}</span>
        </time>
        <span>{messages.minutes(minutes)}</span>
      </p>
      <h1>
        <HighlightedText segments={segmentsOf(title, search === '' ? [] : search.split(' '))} />
      </h1>
      <BriefingText rendered={rendered} summary={summary} length={body.length} symbols={symbols} search={search} />
      <p className="printed-source">{sourceOf({ briefing, zone, sandbox })}</p>
    </article>
  );
}

/** Time on screen until a briefing is read, ms. */
const READ_AFTER_MS = 4000;

/**
 * Marks the open briefing as read by the user's policy. One that the user marks unread stays unread.
 * @param briefing on screen; null: none, or its text is not loaded yet
 */
function useMarkRead(briefing: BriefingDetail | null): void {
  const { clock, intents } = useServices();
  const policy = usePreference((preference) => preference.reading.markRead);
  const handled = useRef<string | null>(null);
  const id = briefing?.id ?? null;
  const unread = briefing?.unread ?? false;
  useEffect(() => {
    if (id === null || !unread || policy === 'by-hand' || handled.current === id) return;
    const markRead = (): void => {
      handled.current = id;
      intents.send('briefings.flag', { ids: [id], unread: false });
    };
    if (policy === 'at-once') return markRead();
    let cancel = (): void => undefined;
    // A hidden window reads nothing.
    const follow = (): void => {
      cancel();
      if (!document.hidden) cancel = clock.after(READ_AFTER_MS, markRead);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      cancel();
      document.removeEventListener('visibilitychange', follow);
    };
  }, [clock, intents, policy, id, unread]);
  useEffect(() => {
    // The user opened another briefing: when the first is reopened, it may be marked again.
    if (handled.current !== id) handled.current = null;
  }, [id]);
  useEffect(() => {
    // The briefing was read when it was opened: if it becomes unread, the user did so.
    if (id !== null && !unread) handled.current = id;
  }, [id, unread]);
}

/** none: nothing is open; awaited: being loaded or rendered; missing: failed, and the page says so. */
export type TextState = 'none' | 'awaited' | 'missing' | 'shown';

/** Position and size of the scrolled element, px. */
interface ScrollMetrics {
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly scrollHeight: number;
}

/**
 * The effect of Space in the reader; it never skips a briefing that was not shown.
 * next: go to the next unread; turn: turn the page; wait: do nothing yet; missing: only the key for the next
 * unread skips the text.
 */
export function pageTurn(
  textState: TextState,
  page: ScrollMetrics | null,
  by: 1 | -1,
): 'next' | 'turn' | 'wait' | 'missing' {
  if (textState === 'none') return 'next';
  if (textState === 'missing') return 'missing';
  if (textState === 'awaited' || page === null) return 'wait';
  const isAtEnd = page.scrollTop + page.clientHeight >= page.scrollHeight - 2;
  return by > 0 && isAtEnd ? 'next' : 'turn';
}
