// Renderer: the open briefing: tools, text and side panel.
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { BriefingDetail } from '../../../shared/channels/archive.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { TextForm } from '../../markdown/render-result.ts';
import { parseSearchTerms } from '../../markdown/search-terms.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { copyText } from '../../ui/text-dialog.tsx';
import { Article } from './article.tsx';
import { Beside } from './beside.tsx';
import { quotation } from './briefing-file.ts';
import { useRendered } from './briefing-text.tsx';
import { FindBar } from './find-bar.tsx';
import type { TextState } from './page-turn.ts';
import { StatesThen } from './then-now.ts';
import { Tools, usePageTheme } from './tools.tsx';
import { type BriefingFlags, useFlags } from './use-flags.ts';
import { useMarkRead } from './use-mark-read.ts';
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
  useMarkRead(rendered === null ? null : briefing);
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
