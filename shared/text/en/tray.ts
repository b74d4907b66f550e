// Pure: the English of tray, dock, task bar, application menu, and the last window's question.

interface ProfileState {
  /** Time of day when the data ended; null while connected. */
  readonly offlineSince: string | null;
  /** Symbols in High Risk; the last known ones while offline. */
  readonly high: readonly string[];
  readonly elevated: number;
  readonly normal: number;
  readonly unknown: number;
  readonly notAcknowledged: number;
  /** The ledger cannot be written. */
  readonly isUnwritten: boolean;
}

interface Badges {
  readonly isSandbox: boolean;
  readonly isReplay: boolean;
}

/** Most symbols that the text names. */
const NAMED = 3;
const named = (symbols: readonly string[]): string =>
  symbols.length <= NAMED
    ? symbols.join(', ')
    : `${symbols.slice(0, NAMED).join(', ')} and ${symbols.length - NAMED} more`;
const badges = ({ isSandbox, isReplay }: Badges): string =>
  `${isSandbox ? '[SANDBOX] ' : ''}${isReplay ? '[REPLAY] ' : ''}`;
const notAcknowledged = (count: number): string => (count === 0 ? '' : `${count} not acknowledged`);

export const tray = {
  toolTip: (of: Badges, state: string): string => `${badges(of)}Barograph: ${state}`,
  nothingWatched: 'Barograph: nothing is watched',
  profile: (of: Badges, name: string, state: string): string => `${badges(of)}${name}: ${state}`,
  open: 'Open Barograph',
  nothingToAcknowledge: 'Nothing to acknowledge',
  acknowledgeAll: (count: number): string => `Acknowledge all (${count})`,
  quit: 'Quit Barograph',
  notAcknowledged,
  /** The question when the last window closes. */
  closing: {
    heading: 'Keep watching?',
    tray: 'Barograph keeps running in the tray and notifies you from there. Click its icon to open it again. You can change this in Settings.',
    noTray:
      'This desktop shows no tray icons. Keep watching leaves the window in the task bar. After Quit you are not notified any more.',
    keepWatching: 'Keep watching',
    quit: 'Quit',
  },
  /** The window while no profile can be opened; it shows the reason of each profile above. */
  noneRuns: {
    heading: 'Nothing is watched: you get no alerts.',
    retry: 'Barograph tries again every half minute, and shows the first profile that can be opened.',
  },
  menu: { file: 'File', newWindow: 'New Window', view: 'View' },
  /** "1 High Risk (SPY), 4 Elevated, 1 not acknowledged" */
  state(of: ProfileState): string {
    const { offlineSince, high, elevated, normal, unknown, isUnwritten } = of;
    const unwritten = isUnwritten ? 'the ledger cannot be written' : '';
    if (offlineSince !== null) {
      const was = high.length === 0 ? '' : `, ${named(high)} ${high.length === 1 ? 'was' : 'were'} High Risk`;
      return `no data since ${offlineSince}${was}${isUnwritten ? `, ${unwritten}` : ''}`;
    }
    if (high.length + elevated + normal === 0) return isUnwritten ? `no signal yet, ${unwritten}` : 'no signal yet';
    return [
      high.length === 0 ? '' : `${high.length} High Risk${high.length <= NAMED ? ` (${named(high)})` : ''}`,
      elevated === 0 ? '' : `${elevated} Elevated`,
      high.length === 0 && elevated === 0 ? `all ${normal} Normal` : '',
      unknown === 0 ? '' : `${unknown} without a signal`,
      notAcknowledged(of.notAcknowledged),
      unwritten,
    ]
      .filter((part) => part !== '')
      .join(', ');
  },
};
