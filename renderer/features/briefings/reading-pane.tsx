// Renderer: the briefing that is open: tools, text, and what stands beside it.
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { BriefingReading } from '../../../shared/channels/archive.ts';
import type { TextForm } from '../../markdown/laid.ts';
import { searchWords } from '../../markdown/words.ts';
import { useServices } from '../../services.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { Awaited, Failed } from '../../ui/awaited.tsx';
import { copyText } from '../../ui/text-dialog.tsx';
import { useAnswer } from '../../use-answer.ts';
import { Article } from './article.tsx';
import { Beside } from './beside.tsx';
import { quotation } from './briefing-file.ts';
import { FindBar } from './find-bar.tsx';
import { useLaid } from './laid-text.tsx';
import type { TextStanding } from './page-turn.ts';
import { StatesThen } from './then-now.ts';
import { Tools, usePaper } from './tools.tsx';
import { useArchiveTurn } from './use-archive.ts';
import { useMarkRead } from './use-mark-read.ts';
import { type Marks, useMarks } from './use-marks.ts';
import { useView, view } from './view.ts';

const words = en.briefings;

/** What the keys of the page ask of the pane. */
export interface PaneHandle {
  readonly marks: Marks;
  readonly openFind: () => void;
}

interface ReadingPaneProps {
  /** What scrolls; it takes the keyboard when a briefing is to be read. */
  readonly scroll: RefObject<HTMLDivElement | null>;
  readonly handle: RefObject<PaneHandle | null>;
  /** How the text of the open briefing stands, for the key that turns its pages. */
  readonly standing: RefObject<TextStanding>;
}

export function ReadingPane(props: ReadingPaneProps) {
  const open = useView((now) => now.open);
  return (
    <section className="panel br-pane" aria-label={words.pane}>
      {open === null ? (
        <div className="nothing">
          <h1 className="md">{words.choose}</h1>
          <p className="t2">{words.chooseHow}</p>
        </div>
      ) : (
        <Opened key={open} id={open} {...props} />
      )}
    </section>
  );
}

function Opened({ id, ...props }: ReadingPaneProps & { id: string }) {
  const { answers } = useServices();
  const turn = useArchiveTurn();
  const slot = useAnswer('briefings.read', { id }, turn);
  useStanding(props.standing, slot?.value != null ? null : slot?.status === 'failed' ? 'missing' : 'awaited');
  if (slot?.value != null) return <Read reading={slot.value} {...props} />;
  if (slot?.status === 'failed')
    return (
      <>
        <h1 className="spoken">{words.noText}</h1>
        <Failed what={words.noText} why={slot.problem} onRetry={() => answers.read('briefings.read', { id })} />
      </>
    );
  return (
    <>
      <h1 className="spoken">{words.awaitingText}</h1>
      <Awaited what={words.awaitingText} progress={null} />
    </>
  );
}

function Read({ reading, scroll, handle, standing }: ReadingPaneProps & { reading: BriefingReading }) {
  const text = useView((now) => now.text);
  const laid = useLaid(reading.body, formOf(reading.content_type));
  useStanding(standing, laid === null ? 'awaited' : 'shown');
  const marks = useMarks(reading);
  const [find, setFind] = useState<{ readonly wanted: string; readonly turn: number } | null>(null);
  const [said, setSaid] = useState('');
  const article = useRef<HTMLElement>(null);
  const sandbox = useBoard((board) => board.profile.environment === 'sandbox');
  useMarkRead(laid === null ? null : reading);
  const openFind = (): void => setFind((now) => ({ wanted: now?.wanted ?? '', turn: (now?.turn ?? 0) + 1 }));
  useEffect(() => {
    handle.current = { marks, openFind };
    return () => {
      handle.current = null;
    };
  });
  const quote = async (): Promise<void> => {
    const chosen = document.getSelection();
    const inText = chosen !== null && article.current?.contains(chosen.anchorNode) === true ? chosen.toString() : '';
    const done = await copyText(quotation({ reading, zone: preferences.read().zone, sandbox }, inText));
    setSaid(done ? words.quoted : words.notCopied);
  };
  const search = searchWords(text).join(' ');
  return (
    <StatesThen value={reading.states_then}>
      <Tools
        reading={reading}
        laid={laid}
        marks={marks}
        onQuote={() => void quote()}
        onFind={openFind}
        onList={() => view.show('list')}
      />
      {find !== null && (
        <FindBar
          root={article}
          text={laid}
          wanted={find.wanted}
          turn={find.turn}
          onWanted={(wanted) => setFind({ ...find, wanted })}
          onClose={() => {
            setFind(null);
            scroll.current?.focus();
          }}
        />
      )}
      <output className="br-said cond">{said}</output>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by key. */}
      <div className="scroll br-read" role="document" aria-label={reading.title} tabIndex={0} ref={scroll}>
        <Paper>
          <Article ref={article} reading={reading} laid={laid} search={search} sandbox={sandbox} />
        </Paper>
        <Beside reading={reading} />
      </div>
    </StatesThen>
  );
}

/** @param now null: a part within knows */
function useStanding(standing: RefObject<TextStanding>, now: TextStanding | null): void {
  useEffect(() => {
    if (now === null) return;
    standing.current = now;
    return () => {
      standing.current = 'none';
    };
  }, [standing, now]);
}

/** The page of the text, in the colours and letters that the user likes to read. */
function Paper({ children }: { children: ReactNode }) {
  const { font, size, width, leading } = usePreference((preference) => preference.reading);
  const paper = usePaper();
  return (
    <div
      className={`paper paper-${paper} font-${font} size-${size} width-${width} leading-${leading}`}
      data-theme={paper === 'dark' ? 'dark' : 'light'}
    >
      {children}
    </div>
  );
}

const formOf = (type: string): TextForm =>
  type.startsWith('text/html') ? 'html' : type.startsWith('text/markdown') ? 'markdown' : 'plain';
