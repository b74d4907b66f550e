// Renderer: a text in which what was searched for is highlighted.
import type { Piece } from '../../shared/channels/archive.ts';

export function HighlightedText({ segments }: { segments: readonly Piece[] }) {
  let at = 0;
  return segments.map(({ text, hit }) => {
    at += text.length;
    return hit ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>;
  });
}
