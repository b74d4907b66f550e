// Test: finding the summary among the paragraphs.
import { describe, expect, it } from 'vitest';
import { asLead } from './lead.ts';
import { renderText } from './parse.ts';
import { toHtml } from './write-tree.ts';

function lead(body: string, summary: string): string | null {
  const rendered = renderText(body, 'markdown');
  if (rendered.kind !== 'tree') throw new Error('laid out plain');
  const tree = asLead(rendered.tree, summary);
  return tree === null ? null : toHtml(tree).replaceAll('\n', '');
}

describe('the lead', () => {
  it('is the first paragraph if it equals the summary', () => {
    expect(lead('SPY *fell*\n1.2 %.\n\nMore.', 'SPY fell 1.2 %.')).toBe(
      '<p class="lead">SPY <em>fell</em>1.2 %.</p><p>More.</p>',
    );
  });
  it('moves to the front from further down', () => {
    expect(lead('Before.\n\nSPY fell.\n\nMore.', 'SPY fell.')).toBe(
      '<p class="lead">SPY fell.</p><p>Before.</p><p>More.</p>',
    );
  });
  it('may have several paragraphs', () => {
    expect(lead('SPY fell.\n\nIt rose.\n\nMore.', 'SPY fell. It rose.')).toBe(
      '<p class="lead">SPY fell.</p><p class="lead">It rose.</p><p>More.</p>',
    );
    expect(lead('SPY fell.\n\nIt rose and fell.', 'SPY fell. It rose.')).toBe(null);
  });
  it('is missing if the text does not contain the summary', () => {
    expect(lead('More.', 'SPY fell.')).toBe(null);
    expect(lead('## SPY fell.', 'SPY fell.')).toBe(null);
    expect(lead('', 'SPY fell.')).toBe(null);
  });
});
