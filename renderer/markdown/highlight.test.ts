// Test: highlighting search terms and symbols.
import { describe, expect, it } from 'vitest';
import { renderText } from '../../test/fixtures/rendered-text.ts';
import { highlightTree } from './highlight.ts';
import { asLead } from './lead.ts';
import { parseSearchTerms } from './search-terms.ts';
import { writeHtml } from './write-html.ts';

async function marked(body: string, search: string, symbols: readonly string[] = []): Promise<string> {
  const rendered = await renderText(body);
  if (rendered.kind !== 'tree') throw new Error('laid out plain');
  return writeHtml(highlightTree(rendered.tree, { terms: parseSearchTerms(search), symbols })).trimEnd();
}

describe('search terms', () => {
  it('are marked word by word, the last word also as a prefix', async () => {
    expect(await marked('Its speed is not *its* price; spe is short, speedy long.', 'its spe')).toBe(
      '<p><mark>Its</mark> <mark>speed</mark> is not <em><mark>its</mark></em> price; <mark>spe</mark> is short, <mark>speedy</mark> long.</p>',
    );
  });
  it('match without case and accents', async () => {
    expect(await marked('Café au lait', 'CAFE au')).toBe('<p><mark>Café</mark> <mark>au</mark> lait</p>');
  });
  it('mark nothing without a search, and nothing in code', async () => {
    expect(await marked('Speed `speed`', '')).toBe('<p>Speed <code>speed</code></p>');
    expect(await marked('Speed `speed`', 'speed')).toBe('<p><mark>Speed</mark> <code>speed</code></p>');
  });
});

describe('symbols', () => {
  it('are marked as whole words, not inside others and not in links', async () => {
    expect(
      await marked('SPY rose. SPYX, ^SPY and BRK.B did not; [SPY](https://x.example). SPY: spy.', '', ['SPY', 'BRK.B']),
    ).toBe(
      '<p><span data-symbol="SPY">SPY</span> rose. SPYX, ^SPY and <span data-symbol="BRK.B">BRK.B</span> did not; <a href="https://x.example/">SPY</a>. <span data-symbol="SPY">SPY</span>: spy.</p>',
    );
  });
  it('and search terms are marked together', async () => {
    expect(await marked('SPY falls', 'spy', ['SPY'])).toBe(
      '<p><span data-symbol="SPY"><mark>SPY</mark></span> falls</p>',
    );
  });
  it('with special characters are no patterns', async () => {
    expect(await marked('^VIX at 20, EURUSD=X too, BTC-USD', '', ['^VIX', 'EURUSD=X', 'BTC-USD'])).toBe(
      '<p><span data-symbol="^VIX">^VIX</span> at 20, <span data-symbol="EURUSD=X">EURUSD=X</span> too, <span data-symbol="BTC-USD">BTC-USD</span></p>',
    );
  });
});

async function lead(body: string, summary: string): Promise<string | null> {
  const rendered = await renderText(body);
  if (rendered.kind !== 'tree') throw new Error('laid out plain');
  const tree = asLead(rendered.tree, summary);
  return tree === null ? null : writeHtml(tree).replaceAll('\n', '');
}

describe('the lead', () => {
  it('is the first paragraph if it equals the summary', async () => {
    expect(await lead('SPY *fell*\n1.2 %.\n\nMore.', 'SPY fell 1.2 %.')).toBe(
      '<p class="lead">SPY <em>fell</em>1.2 %.</p><p>More.</p>',
    );
  });
  it('moves to the front from further down', async () => {
    expect(await lead('Before.\n\nSPY fell.\n\nMore.', 'SPY fell.')).toBe(
      '<p class="lead">SPY fell.</p><p>Before.</p><p>More.</p>',
    );
  });
  it('may have several paragraphs', async () => {
    expect(await lead('SPY fell.\n\nIt rose.\n\nMore.', 'SPY fell. It rose.')).toBe(
      '<p class="lead">SPY fell.</p><p class="lead">It rose.</p><p>More.</p>',
    );
    expect(await lead('SPY fell.\n\nIt rose and fell.', 'SPY fell. It rose.')).toBe(null);
  });
  it('is missing if the text does not contain the summary', async () => {
    expect(await lead('More.', 'SPY fell.')).toBe(null);
    expect(await lead('## SPY fell.', 'SPY fell.')).toBe(null);
    expect(await lead('', 'SPY fell.')).toBe(null);
  });
});
