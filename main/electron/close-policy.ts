// Main, Electron shell: what happens to the app when its last window closes.
// A monitor that ends unnoticed misses alerts; one that runs where nobody can reach it is no better.
import type { BrowserWindow, Dialog } from 'electron';
import { texts } from '../../shared/text/texts.ts';

export interface CloseContext {
  readonly platform: NodeJS.Platform;
  /** A tray that shows our icon is known to exist. */
  readonly tray: boolean;
  /** The user's choice; null: not asked yet. */
  readonly closeToTray: boolean | null;
  /** A production profile is on, also where it cannot be opened at the moment. */
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
  /** The user chose the tray, from now on. */
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
    // No question here. Where the user did not close the last window, it crashed, or its profile ended:
    // production is monitored without it.
    goesOnWithout() {
      const now = context();
      return closeOutcome(now) !== 'ends' || (now.production && !isClosedByUser);
    },
  };
}
