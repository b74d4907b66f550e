// Renderer: the table of pages; a page is added by a line here.
import type { ComponentType } from 'react';
import type { PageId } from '../../../shared/domain/window-routes.ts';
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

export const PAGES: readonly [Page, ...Page[]] = [
  { id: 'watch', label: texts.common.pages.watch, Body: WatchPage },
  { id: 'alerts', label: texts.common.pages.alerts, Body: AlertsPage, useBadge: useAlertBadge },
  { id: 'briefings', label: texts.common.pages.briefings, Body: BriefingsPage, useBadge: useBriefingsBadge },
  { id: 'news', label: texts.common.pages.news, Body: NewsPage },
  { id: 'validation', label: texts.common.pages.validation, Body: ValidationPage },
  { id: 'webhooks', label: texts.common.pages.webhooks, Body: WebhooksPage },
  { id: 'connection', label: texts.common.pages.connection, Body: ConnectionPage },
  { id: 'settings', label: texts.common.pages.settings, Body: SettingsPage, useBadge: useSettingsBadge },
];
