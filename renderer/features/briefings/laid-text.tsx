// Renderer: the text of a briefing: laid out by the worker, hits and symbols marked, links and tables as parts of ours.
import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { type ComponentProps, memo, type ReactNode, useEffect, useMemo, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { type Laid, MOST_CHARACTERS, type TextForm } from '../../markdown/laid.ts';
import { asLead } from '../../markdown/lead.ts';
import { markTree } from '../../markdown/mark.ts';
import type { Tree } from '../../markdown/tree.ts';
import { piecesOf } from '../../markdown/words.ts';
import { useServices } from '../../services.ts';
import { en } from '../../text/en.ts';
import { count } from '../../text/format.ts';
import { Awaited } from '../../ui/awaited.tsx';
import { OutsideLink } from '../../ui/outside-link.tsx';
import { Pieces } from '../../ui/pieces.tsx';
import { SymbolLink } from './symbol-link.tsx';

const words = en.briefings;

/** The text as it is to be drawn; null while it is being laid out. */
export function useLaid(body: string, form: TextForm): Laid | null {
  const { markdown } = useServices();
  const [laid, setLaid] = useState<{ readonly body: string; readonly form: TextForm; readonly laid: Laid } | null>(
    null,
  );
  useEffect(() => {
    let wanted = true;
    void markdown.read(body, form).then((done) => {
      if (wanted) setLaid({ body, form, laid: done });
    });
    return () => {
      wanted = false;
    };
  }, [markdown, body, form]);
  return laid?.body === body && laid.form === form ? laid.laid : null;
}

interface LaidTextProps {
  readonly laid: Laid | null;
  readonly summary: string;
  /** Characters of the whole text. */
  readonly length: number;
  readonly symbols: readonly string[];
  /** What was searched for, folded, one space between words. */
  readonly search: string;
}

export const LaidText = memo(function LaidText({ laid, summary, length, symbols, search }: LaidTextProps) {
  const hits = useMemo(() => (search === '' ? [] : search.split(' ')), [search]);
  const symbolList = symbols.join(' ');
  const drawn = useMemo(() => {
    if (laid?.kind !== 'tree') return null;
    const led = asLead(laid.tree, summary);
    return {
      hasLead: led !== null,
      parts: draw(markTree(led ?? laid.tree, { words: hits, symbols: symbolList === '' ? [] : symbolList.split(' ') })),
    };
  }, [laid, summary, hits, symbolList]);
  return (
    <>
      {summary !== '' && drawn?.hasLead !== true && laid !== null && (
        <p className="lead">
          <Pieces pieces={piecesOf(summary, hits)} />
        </p>
      )}
      {laid === null && <Awaited what={words.layingOut} progress={null} />}
      {drawn?.parts}
      {laid?.kind === 'plain' && (
        <>
          <p className="aside">{words.plainWhy[laid.why]}</p>
          <pre className="as-written">{laid.text}</pre>
        </>
      )}
      {laid !== null && length > MOST_CHARACTERS && (
        <p className="aside">{words.cut(count(length), count(MOST_CHARACTERS))}</p>
      )}
    </>
  );
});

const draw = (tree: Tree) =>
  toJsxRuntime(tree, { Fragment, jsx, jsxs, components: PARTS, elementAttributeNameCase: 'react' });

const PARTS: Partial<Components> = {
  a: ({ href = '', children, id, ...aria }) =>
    href.startsWith('#') ? (
      // A note and the way back from it. Within the text: the page's address stays as it is.
      <button
        type="button"
        className="br-link"
        id={id}
        aria-label={aria['aria-label']}
        aria-describedby={aria['aria-describedby']}
        onClick={() => document.getElementById(href.slice(1))?.scrollIntoView({ block: 'center' })}
      >
        {children}
      </button>
    ) : (
      <OutsideLink address={href}>{children}</OutsideLink>
    ),
  span: ({ children, ...props }: ComponentProps<'span'> & { 'data-symbol'?: string }) =>
    props['data-symbol'] === undefined ? (
      <span className={props.className}>{children}</span>
    ) : (
      <SymbolLink symbol={props['data-symbol']}>{children}</SymbolLink>
    ),
  table: ({ children }) => (
    <Sideways label={words.table}>
      <table>{children}</table>
    </Sideways>
  ),
  pre: ({ children }) => (
    <Sideways label={words.code}>
      <pre>{children}</pre>
    </Sideways>
  ),
};

/** Wider than the page, a table or a piece of code moves sideways by itself, also by key. */
function Sideways({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by key.
    <fieldset className="sideways" aria-label={label} tabIndex={0}>
      {children}
    </fieldset>
  );
}
