// Renderer, pure: the actions that apply to lines of the list.
import type { Alert } from '../../../shared/channels/state.ts';
import { canAcknowledge, canSnooze, outcomeOf } from '../../store/alert-outcome.ts';
import type { Line } from './filters.ts';

export const canAcknowledgeLine = (line: Line): boolean => acknowledgeable([line]).length > 0;

/** The alerts of these lines that can be acknowledged, including an episode's earlier ones. */
export const acknowledgeable = (lines: readonly Line[]): Alert[] =>
  lines.flatMap(({ rows, subject, outcome, to }) =>
    rows.flatMap(({ alert }) => {
      const isActive = to === null && alert === rows.at(-1)?.alert;
      const own = alert === subject.alert ? outcome : outcomeOf(alert, isActive, []);
      return canAcknowledge(own) ? [alert] : [];
    }),
  );

/** The alerts of these lines that need attention: as many as badge and title count, where all are shown. */
export const needing = (lines: readonly Line[]): Alert[] =>
  lines.flatMap(({ rows }) => rows.flatMap(({ alert }) => (alert.needs_attention ? [alert] : [])));

export const snoozable = (lines: readonly Line[]): Alert[] =>
  lines.flatMap(({ rows, to }) => {
    const alert = rows.at(-1)?.alert;
    return alert !== undefined && canSnooze(alert, to === null) ? [alert] : [];
  });
