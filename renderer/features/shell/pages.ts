// Renderer: the pages that there are. A page is added by a line here; a page that does not exist has no tab.
import type { ComponentType } from 'react';
import { en } from '../../text/en.ts';
import { WatchPage } from '../watch/index.ts';

export interface Page {
  readonly id: string;
  readonly label: string;
  readonly Body: ComponentType;
}

export const PAGES: readonly [Page, ...Page[]] = [{ id: 'watch', label: en.pages.watch, Body: WatchPage }];
