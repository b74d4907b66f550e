// Pure: the trading days of each exchange. In the page, renderer/later-exchange-days.ts stands in for this file.
import { JOHANNESBURG, NEW_YORK, SAO_PAULO, TORONTO } from './americas.ts';
import { HONG_KONG, MUMBAI, SEOUL, SHANGHAI, SINGAPORE, SYDNEY, TOKYO } from './asia-pacific.ts';
import { FRANKFURT, LONDON, MADRID, MILAN, PARIS, STOCKHOLM, ZURICH } from './europe.ts';
import type { Exchange } from './exchanges.ts';

/** The form of exchange-table.ts. An exchange may lack while the page loads them: then each of its days is unknown. */
export const EXCHANGE_DAYS: Readonly<Partial<Record<Exchange, string>>> = {
  us: NEW_YORK,
  toronto: TORONTO,
  london: LONDON,
  frankfurt: FRANKFURT,
  paris: PARIS,
  amsterdam: PARIS,
  zurich: ZURICH,
  milan: MILAN,
  madrid: MADRID,
  stockholm: STOCKHOLM,
  tokyo: TOKYO,
  hong_kong: HONG_KONG,
  shanghai: SHANGHAI,
  shenzhen: SHANGHAI,
  singapore: SINGAPORE,
  sydney: SYDNEY,
  seoul: SEOUL,
  mumbai: MUMBAI,
  sao_paulo: SAO_PAULO,
  johannesburg: JOHANNESBURG,
};
