// Pure: the English texts of alerts of other programs: their mark, their problems, and the inbound address.
import type { Breadth } from '../../settings/breadth-conditions.ts';
import type { ForeignAlert, ForeignProblem } from '../../settings/foreign-alerts.ts';
import type { Crossing } from '../../settings/price-conditions.ts';
import { breadthText } from './breadth.ts';
import { crossingText } from './price-alerts.ts';

const PROBLEMS: Readonly<Record<ForeignProblem, string>> = {
  empty: 'It has no text.',
  json: 'It looks like JSON and cannot be read as such; it is shown as text.',
  utf8: 'Some of its bytes are no text (UTF-8).',
  symbol: 'What it names as its symbol is none.',
  severity: 'It states no known severity, so it counts as High Risk.',
  time: 'Its time cannot be read, or is more than a day off; the time of arrival is shown.',
  title: 'It has no title where the mapping expects one.',
  cut: 'It was too long and is shortened.',
  limit:
    'More alerts than the limit arrived. Those beyond it were refused and are lost: check the program that sends them.',
};

const title = ({ title: said, problems }: Pick<ForeignAlert, 'title' | 'problems'>): string =>
  said !== '' ? said : problems.includes('limit') ? 'Too many alerts: some were refused' : 'Alert without a text';
const problems = (alert: Pick<ForeignAlert, 'problems'>): string[] => alert.problems.map((one) => PROBLEMS[one]);

const named = (alert: Pick<ForeignAlert, 'title' | 'problems'>): string => `Other program: ${title(alert)}`;

/** One line for an alert that is no transition. */
type LocalAlert = { readonly crossing: Crossing } | { readonly foreign: ForeignAlert } | { readonly breadth: Breadth };
export function localAlert(alert: LocalAlert): string {
  if ('crossing' in alert) return crossingText(alert.crossing);
  return 'foreign' in alert ? named(alert.foreign) : breadthText(alert.breadth);
}

/** Its symbol or list, in a list of alerts. */
export const localAlertName = (alert: LocalAlert & { readonly symbol: string | null }): string =>
  'breadth' in alert ? alert.breadth.name : (alert.symbol ?? foreign.mark);

export const foreign = {
  heading: 'Alerts of other programs',
  /** The mark of every such alert. */
  mark: 'Other program',
  title,
  /** The title with its mark, where nothing else shows it: notifications, exports, search. */
  named,
  body: ({ text, problems: found }: ForeignAlert) => [text, ...problems({ problems: found })].filter(Boolean).join(' '),
  problems,
  test: {
    title: 'Test of the inbound address',
    text: (at: string) => `Sent by Barograph itself at ${at}.`,
  },
  sub: 'Barograph did not make this alert and cannot check it.',
};
