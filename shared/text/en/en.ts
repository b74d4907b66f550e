// Pure: English, by area.
import { alerts } from './alerts.ts';
import { archive } from './archive.ts';
import { book } from './book.ts';
import { briefings } from './briefings.ts';
import { chart } from './chart.ts';
import { common } from './common.ts';
import { connection } from './connection.ts';
import { factors } from './factors.ts';
import { header } from './header.ts';
import { inbox } from './inbox.ts';
import { keys } from './keys.ts';
import { lists } from './lists.ts';
import { messages } from './messages.ts';
import { news } from './news.ts';
import { notifications } from './notifications.ts';
import { palette } from './palette.ts';
import { priceAlerts } from './price-alerts.ts';
import { priceQuestions } from './price-questions.ts';
import { profiles } from './profiles.ts';
import { record } from './record.ts';
import { rules } from './rules.ts';
import { settings } from './settings.ts';
import { time } from './time.ts';
import { tray } from './tray.ts';
import { validation } from './validation.ts';
import { watchlist } from './watchlist.ts';
import { webhooks } from './webhooks.ts';
import { worth } from './worth.ts';

export const en = {
  alerts,
  archive,
  book,
  briefings,
  chart,
  common,
  connection,
  factors,
  header,
  inbox,
  keys,
  lists,
  messages,
  news,
  notifications,
  palette,
  priceAlerts,
  priceQuestions,
  profiles,
  record,
  rules,
  settings,
  time,
  tray,
  validation,
  watchlist,
  webhooks,
  worth,
};
