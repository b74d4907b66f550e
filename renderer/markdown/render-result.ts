// Renderer, pure: the result of rendering: a tree, or plain text where rendering costs too much.
import type { Tree } from './tree.ts';

export type RenderResult =
  | { readonly kind: 'tree'; readonly tree: Tree }
  | { readonly kind: 'plain'; readonly text: string; readonly why: PlainReason };
/** deep: nested too deeply. large: too many elements. slow: timed out. broken: unexpected error. */
export type PlainReason = 'deep' | 'large' | 'slow' | 'broken';

/** The format of a text. */
export type TextForm = 'markdown' | 'html' | 'plain';

/** Longer texts are cut: a briefing is shorter than a hundred pages. */
export const MAX_CHARACTERS = 200_000;
