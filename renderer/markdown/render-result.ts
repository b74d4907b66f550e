// Renderer, pure: a text as it is to be drawn: rendered, or plain as it was written where rendering would cost too much.
import type { Tree } from './tree.ts';

export type RenderResult =
  | { readonly kind: 'tree'; readonly tree: Tree }
  | { readonly kind: 'plain'; readonly text: string; readonly why: PlainReason };
/** deep: nested without end. large: too many parts. slow: it took too long. broken: nobody knows. */
export type PlainReason = 'deep' | 'large' | 'slow' | 'broken';

/** What a text is written in. */
export type TextForm = 'markdown' | 'html' | 'plain';

/** Longer texts are cut: a hundred pages are no briefing. */
export const MAX_CHARACTERS = 200_000;
