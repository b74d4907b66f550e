// Renderer: the component and the badge of each page.
import type { ComponentType } from 'react';
import { PAGE_IDS, type PageId } from '../../../shared/domain/window-routes.ts';
import { texts } from '../../../shared/text/texts.ts';
import { AlertsPage } from '../alerts/index.ts';
import { BriefingsPage, useBriefingsBadge } from '../briefings/index.ts';
import { useAlertBadge } from '../inbox/index.ts';
import { NewsPage } from '../news/index.ts';
import { SettingsPage, useSettingsBadge } from '../settings/index.ts';
import { ValidationPage } from '../validation/index.ts';
import { WatchPage } from '../watch/index.ts';

/** A number beside the name of a page; `hot` for High Risk. */
export interface Badge {
  readonly count: number;
  readonly hot: boolean;
  /** The meaning of the number, for screen readers: "3 need you". */
  readonly label: string;
}

export interface Page {
  readonly id: PageId;
  readonly label: string;
  readonly Body: ComponentType;
  /** The page whose tab leads to it. Without one it has a tab of its own. */
  readonly under?: PageId;
  /** A hook, which must never change. null: no badge now. */
  readonly useBadge?: () => Badge | null;
}

const PAGE: { readonly [Id in PageId]: Omit<Page, 'id' | 'label'> } = {
  watch: { Body: WatchPage },
  alerts: { Body: AlertsPage, useBadge: useAlertBadge },
  briefings: { Body: BriefingsPage, useBadge: useBriefingsBadge },
  record: { Body: ValidationPage },
  settings: { Body: SettingsPage, useBadge: useSettingsBadge },
  news: { Body: NewsPage, under: 'briefings' },
};

export const pageOf = (id: PageId): Page => ({ id, label: texts.common.pages[id], ...PAGE[id] });

export const PAGES: readonly Page[] = PAGE_IDS.map(pageOf);

export const tabOf = ({ id, under = id }: Page): PageId => under;

/** The pages that have a tab. */
export const TABS = PAGES.filter(({ under }) => under === undefined);
