// Renderer: a text with highlighted search terms.
import type { Piece } from '../../shared/channels/archive.ts';

export function HighlightedText({ segments }: { segments: readonly Piece[] }) {
  let at = 0;
  return segments.map(({ text, hit }) => {
    at += text.length;
    return hit ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>;
  });
}
