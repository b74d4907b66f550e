// Renderer: the text of a briefing, rendered by the worker, with highlights, links and tables.
import { createElement, memo, type PointerEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import { count } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { highlightTree } from '../../markdown/highlight.ts';
import { asLead } from '../../markdown/lead.ts';
import { openRenderWorker } from '../../markdown/open-worker.ts';
import { createMarkdownReader } from '../../markdown/reader.ts';
import { MAX_CHARACTERS, type RenderResult, type TextForm } from '../../markdown/render-result.ts';
import { segmentsOf } from '../../markdown/search-terms.ts';
import type { Properties, Tree, TreeNode } from '../../markdown/tree.ts';
import { useServices } from '../../services.ts';
import { goTo } from '../../store/route.ts';
import { ExternalLink } from '../../ui/external-link.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { HighlightedText } from '../../ui/highlighted-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { useThenNow } from './then-now.ts';

const messages = texts.briefings;

/** The rendered text; null while it is being rendered. */
export function useRendered(body: string, form: TextForm): RenderResult | null {
  const { clock } = useServices();
  const [reader] = useState(() => createMarkdownReader(clock, openRenderWorker));
  const [rendered, setRendered] = useState<{
    readonly body: string;
    readonly form: TextForm;
    readonly rendered: RenderResult;
  } | null>(null);
  useEffect(() => () => reader.end(), [reader]);
  useEffect(() => {
    let isCurrent = true;
    void reader.read(body, form).then((done) => {
      if (isCurrent) setRendered({ body, form, rendered: done });
    });
    return () => {
      isCurrent = false;
    };
  }, [reader, body, form]);
  return rendered?.body === body && rendered.form === form ? rendered.rendered : null;
}

interface BriefingTextProps {
  readonly rendered: RenderResult | null;
  readonly summary: string;
  /** Characters of the whole text. */
  readonly length: number;
  readonly symbols: readonly string[];
  /** Folded search words, separated by one space. */
  readonly search: string;
}

export const BriefingText = memo(function BriefingText({
  rendered,
  summary,
  length,
  symbols,
  search,
}: BriefingTextProps) {
  const hits = useMemo(() => (search === '' ? [] : search.split(' ')), [search]);
  const symbolList = symbols.join(' ');
  const drawn = useMemo(() => {
    if (rendered?.kind !== 'tree') return null;
    const led = asLead(rendered.tree, summary);
    return {
      hasLead: led !== null,
      elements: draw(
        highlightTree(led ?? rendered.tree, { terms: hits, symbols: symbolList === '' ? [] : symbolList.split(' ') }),
      ),
    };
  }, [rendered, summary, hits, symbolList]);
  return (
    <>
      {summary !== '' && drawn?.hasLead !== true && rendered !== null && (
        <p className="lead">
          <HighlightedText segments={segmentsOf(summary, hits)} />
        </p>
      )}
      {rendered === null && <LoadingNotice what={messages.layingOut} progress={null} />}
      {drawn?.elements}
      {rendered?.kind === 'plain' && (
        <>
          <p className="text-notice">{messages.plainWhy[rendered.why]}</p>
          <pre className="as-written">{rendered.text}</pre>
        </>
      )}
      {rendered !== null && length > MAX_CHARACTERS && (
        <p className="text-notice">{messages.cut(count(length), count(MAX_CHARACTERS))}</p>
      )}
    </>
  );
});

const draw = (tree: Tree): ReactNode => tree.children.map(drawNode);

function drawNode(node: TreeNode, key: number): ReactNode {
  if (node.type === 'text') return node.value;
  const { tagName, properties } = node;
  const { class: className, ...attributes } = properties;
  const children = node.children.map(drawNode);
  const symbol = attributes['data-symbol'];
  if (symbol !== undefined)
    return (
      <SymbolLink key={key} symbol={symbol}>
        {children}
      </SymbolLink>
    );
  if (tagName === 'a') return <Link key={key} attributes={attributes} text={children} />;
  const element = createElement(tagName, { ...attributes, className, key }, ...children);
  if (tagName !== 'table' && tagName !== 'pre') return element;
  return (
    <Sideways key={key} label={tagName === 'table' ? messages.table : messages.code}>
      {element}
    </Sideways>
  );
}

function Link({ attributes, text }: { attributes: Properties; text: ReactNode }) {
  const { href = '', ...named } = attributes;
  if (!href.startsWith('#')) return <ExternalLink address={href}>{text}</ExternalLink>;
  // A link to a footnote or back. It scrolls within the text: the page's address stays.
  return (
    <button
      type="button"
      className="br-link"
      {...named}
      onClick={() => document.getElementById(href.slice(1))?.scrollIntoView({ block: 'center' })}
    >
      {text}
    </button>
  );
}

/** A table or code block wider than the page scrolls sideways, also by key. */
function Sideways({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <fieldset className="sideways" aria-label={label} tabIndex={0}>
      {children}
    </fieldset>
  );
}

/** Size of the card, px. */
const CARD = { width: 240, height: 40 };

/** A symbol in a text: links to the Watch page; a card shows its states then and now. */
function SymbolLink({ symbol, children }: { symbol: string; children: ReactNode }) {
  const [placement, setPlacement] = useState('');
  const thenNow = useThenNow(symbol);
  // Places the card at the left edge of the word and below it, unless the page ends there.
  const settle = ({ currentTarget }: { readonly currentTarget: Element }): void => {
    const word = currentTarget.getBoundingClientRect();
    const page = currentTarget.closest('.document-page')?.getBoundingClientRect();
    const seen = currentTarget.closest('.scroll')?.getBoundingClientRect();
    const atRight = page !== undefined && word.left + CARD.width > page.right;
    const above = seen !== undefined && word.bottom + CARD.height > seen.bottom;
    setPlacement(` ${atRight ? 'at-right' : 'at-left'}${above ? ' above' : ''}`);
  };
  const leave = ({ currentTarget }: PointerEvent): void => {
    if (!currentTarget.contains(document.activeElement)) setPlacement('');
  };
  return (
    <span className="symbol-link" onPointerEnter={settle} onPointerLeave={leave}>
      <button
        type="button"
        aria-label={texts.briefings.thenNowName(symbol, thenNow.thenWord, thenNow.nowWord)}
        onFocus={settle}
        onBlur={() => setPlacement('')}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setPlacement('');
        }}
        onClick={() => goTo({ page: 'watch', item: symbol })}
      >
        {children}
      </button>
      {placement !== '' && (
        <span className={`then-now-card cond${placement}`} aria-hidden="true">
          <Glyph name={thenNow.thenGlyph} size={12} />
          {thenNow.thenWord}
          <Icon name="next" size={11} />
          <Glyph name={thenNow.nowGlyph} size={12} />
          {thenNow.nowWord}
        </span>
      )}
    </span>
  );
}
