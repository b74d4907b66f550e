// Test: highlighting search terms and symbols.
import { describe, expect, it } from 'vitest';
import { highlightTree } from './highlight.ts';
import { asLead } from './lead.ts';
import { renderText } from './parse.ts';
import { parseSearchTerms } from './search-terms.ts';
import { writeHtml } from './write-html.ts';

function marked(body: string, search: string, symbols: readonly string[] = []): string {
  const rendered = renderText(body, 'markdown');
  if (rendered.kind !== 'tree') throw new Error('laid out plain');
  return writeHtml(highlightTree(rendered.tree, { terms: parseSearchTerms(search), symbols })).trimEnd();
}

describe('search terms', () => {
  it('search terms are marked word by word, the last word also as a prefix', () => {
    expect(marked('Its speed is not *its* price; spe is short, speedy long.', 'its spe')).toBe(
      '<p><mark>Its</mark> <mark>speed</mark> is not <em><mark>its</mark></em> price; <mark>spe</mark> is short, <mark>speedy</mark> long.</p>',
    );
  });
  it('search terms match without case and accents', () => {
    expect(marked('Café au lait', 'CAFE au')).toBe('<p><mark>Café</mark> <mark>au</mark> lait</p>');
  });
  it('without search terms nothing is marked, and in code nothing ever', () => {
    expect(marked('Speed `speed`', '')).toBe('<p>Speed <code>speed</code></p>');
    expect(marked('Speed `speed`', 'speed')).toBe('<p><mark>Speed</mark> <code>speed</code></p>');
  });
});

describe('symbols', () => {
  it('symbols are marked as whole words, not inside others and not in links', () => {
    expect(
      marked('SPY rose. SPYX, ^SPY and BRK.B did not; [SPY](https://x.example). SPY: spy.', '', ['SPY', 'BRK.B']),
    ).toBe(
      '<p><span data-symbol="SPY">SPY</span> rose. SPYX, ^SPY and <span data-symbol="BRK.B">BRK.B</span> did not; <a href="https://x.example/">SPY</a>. <span data-symbol="SPY">SPY</span>: spy.</p>',
    );
  });
  it('symbols and search terms are marked together', () => {
    expect(marked('SPY falls', 'spy', ['SPY'])).toBe('<p><span data-symbol="SPY"><mark>SPY</mark></span> falls</p>');
  });
  it('symbols with special characters are no patterns', () => {
    expect(marked('^VIX at 20, EURUSD=X too, BTC-USD', '', ['^VIX', 'EURUSD=X', 'BTC-USD'])).toBe(
      '<p><span data-symbol="^VIX">^VIX</span> at 20, <span data-symbol="EURUSD=X">EURUSD=X</span> too, <span data-symbol="BTC-USD">BTC-USD</span></p>',
    );
  });
});

function lead(body: string, summary: string): string | null {
  const rendered = renderText(body, 'markdown');
  if (rendered.kind !== 'tree') throw new Error('laid out plain');
  const tree = asLead(rendered.tree, summary);
  return tree === null ? null : writeHtml(tree).replaceAll('\n', '');
}

describe('the lead', () => {
  it('the lead is the first paragraph if it equals the summary', () => {
    expect(lead('SPY *fell*\n1.2 %.\n\nMore.', 'SPY fell 1.2 %.')).toBe(
      '<p class="lead">SPY <em>fell</em>1.2 %.</p><p>More.</p>',
    );
  });
  it('the lead moves to the front from further down', () => {
    expect(lead('Before.\n\nSPY fell.\n\nMore.', 'SPY fell.')).toBe(
      '<p class="lead">SPY fell.</p><p>Before.</p><p>More.</p>',
    );
  });
  it('the lead may have several paragraphs', () => {
    expect(lead('SPY fell.\n\nIt rose.\n\nMore.', 'SPY fell. It rose.')).toBe(
      '<p class="lead">SPY fell.</p><p class="lead">It rose.</p><p>More.</p>',
    );
    expect(lead('SPY fell.\n\nIt rose and fell.', 'SPY fell. It rose.')).toBe(null);
  });
  it('the lead is missing if the text does not contain the summary', () => {
    expect(lead('More.', 'SPY fell.')).toBe(null);
    expect(lead('## SPY fell.', 'SPY fell.')).toBe(null);
    expect(lead('', 'SPY fell.')).toBe(null);
  });
});
