// Main, Electron shell: decides whether the app ends with its last window.
// A monitor that ends unnoticed misses alerts, and a monitor that nobody can reach is no better.
import type { BrowserWindow, Dialog } from 'electron';
import { texts } from '../../shared/text/texts.ts';

export interface CloseContext {
  readonly platform: NodeJS.Platform;
  /** True where a tray is known to show our icon. */
  readonly tray: boolean;
  /** The user's choice; null: not asked yet. */
  readonly closeToTray: boolean | null;
  /** True where a production profile is enabled, even if it cannot be opened at the moment. */
  readonly production: boolean;
}

/**
 * goes-on: the window closes, the app continues. ends: the app ends with it. ask-tray: asks whether to
 * continue in the tray. ask-end: only a window could continue; only the user may end it.
 */
export type CloseOutcome = 'goes-on' | 'ends' | 'ask-tray' | 'ask-end';

export function closeOutcome({ platform, tray, closeToTray, production }: CloseContext): CloseOutcome {
  // The dock is always there.
  if (platform === 'darwin') return 'goes-on';
  if (tray) return closeToTray === null ? 'ask-tray' : closeToTray ? 'goes-on' : 'ends';
  return production ? 'ask-end' : 'ends';
}

export interface ClosePolicyDeps {
  readonly context: () => CloseContext;
  readonly dialog: Pick<Dialog, 'showMessageBox'>;
  /** Stores that the user chose the tray. */
  readonly keepInTray: () => void;
  readonly quit: () => void;
}

const QUESTIONS = { 'ask-tray': texts.tray.closing.tray, 'ask-end': texts.tray.closing.noTray } as const;

export interface ClosePolicy {
  /** False: the user is asked first. */
  mayClose(window: BrowserWindow): boolean;
  /** Whether the app continues without a window. */
  goesOnWithout(): boolean;
}

export function createClosePolicy({ context, dialog, keepInTray, quit }: ClosePolicyDeps): ClosePolicy {
  let isPromptOpen = false;
  /** The user closed the last window, knowing that the app ends with it. */
  let isClosedByUser = false;
  const ask = async (window: BrowserWindow, question: keyof typeof QUESTIONS): Promise<void> => {
    isPromptOpen = true;
    try {
      const { response } = await dialog.showMessageBox(window, {
        type: 'question',
        title: 'Barograph',
        message: texts.tray.closing.heading,
        detail: QUESTIONS[question],
        buttons: [texts.tray.closing.keepWatching, texts.tray.closing.quit],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      });
      if (response === 1) return quit();
      if (question === 'ask-end') return window.minimize();
      keepInTray();
      window.destroy();
    } finally {
      isPromptOpen = false;
    }
  };
  return {
    mayClose(window) {
      const next = closeOutcome(context());
      isClosedByUser = next === 'ends';
      if (next === 'goes-on' || next === 'ends') return true;
      if (!isPromptOpen) void ask(window, next);
      return false;
    },
    // Asks no question. A last window that the user did not close has crashed, or lost its profile:
    // production is monitored without it.
    goesOnWithout() {
      const now = context();
      return closeOutcome(now) !== 'ends' || (now.production && !isClosedByUser);
    },
  };
}
