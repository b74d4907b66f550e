// Renderer: the component and the badge of each page.
import type { ComponentType } from 'react';
import { PAGE_IDS, type PageId } from '../../../shared/domain/window-routes.ts';
import { texts } from '../../../shared/text/texts.ts';
import { AlertsPage } from '../alerts/index.ts';
import { BriefingsPage, useBriefingsBadge } from '../briefings/index.ts';
import { ConnectionPage } from '../connection/index.ts';
import { useAlertBadge } from '../inbox/index.ts';
import { NewsPage } from '../news/index.ts';
import { SettingsPage, useSettingsBadge } from '../settings/index.ts';
import { ValidationPage } from '../validation/index.ts';
import { WatchPage } from '../watch/index.ts';
import { WebhooksPage } from '../webhooks/index.ts';

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
  /** A hook, which must never change. null: no badge now. */
  readonly useBadge?: () => Badge | null;
}

const PAGE: { readonly [Id in PageId]: Pick<Page, 'Body' | 'useBadge'> } = {
  watch: { Body: WatchPage },
  alerts: { Body: AlertsPage, useBadge: useAlertBadge },
  briefings: { Body: BriefingsPage, useBadge: useBriefingsBadge },
  news: { Body: NewsPage },
  validation: { Body: ValidationPage },
  webhooks: { Body: WebhooksPage },
  connection: { Body: ConnectionPage },
  settings: { Body: SettingsPage, useBadge: useSettingsBadge },
};

export const pageOf = (id: PageId): Page => ({ id, label: texts.common.pages[id], ...PAGE[id] });

/** In the order of their tabs. */
export const PAGES: readonly Page[] = PAGE_IDS.map(pageOf);
