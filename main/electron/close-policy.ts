// Main, Electron shell: what becomes of the app when its last window closes. A monitor that ends unnoticed has missed something;
// one that goes on where nobody can reach it is no better.
import type { BrowserWindow, Dialog } from 'electron';

export interface CloseContext {
  readonly platform: NodeJS.Platform;
  /** A tray that shows our icon is known to exist. */
  readonly tray: boolean;
  /** What the user chose; null: was never asked. */
  readonly closeToTray: boolean | null;
  /** A production profile is watched. */
  readonly production: boolean;
}

/**
 * goes-on: the window closes, watching goes on. ends: the app ends with it. ask-tray: whether to go on in the tray.
 * ask-end: there is nowhere to go on but in a window; only the user says that it may end.
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
  /** The user wants it to go on in the tray, from now on. */
  readonly keepInTray: () => void;
  readonly quit: () => void;
}

/** What is asked, and what "Keep watching" means then. */
const QUESTIONS = {
  'ask-tray':
    'Barograph keeps running in the tray and notifies you from there. Click its icon to open it again. You can change this in Settings.',
  'ask-end':
    'This desktop shows no tray icons. Keep watching leaves the window in the task bar. After Quit you are not notified any more.',
} as const;
const BUTTONS = ['Keep watching', 'Quit'];

export interface ClosePolicy {
  /** False: the user is asked first. */
  mayClose(window: BrowserWindow): boolean;
  /** Whether the app goes on when no window is left. */
  goesOnWithout(): boolean;
}

export function createClosePolicy({ context, dialog, keepInTray, quit }: ClosePolicyDeps): ClosePolicy {
  let isPromptOpen = false;
  const ask = async (window: BrowserWindow, question: keyof typeof QUESTIONS): Promise<void> => {
    isPromptOpen = true;
    try {
      const { response } = await dialog.showMessageBox(window, {
        type: 'question',
        title: 'Barograph',
        message: 'Keep watching?',
        detail: QUESTIONS[question],
        buttons: [...BUTTONS],
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
      if (next === 'goes-on' || next === 'ends') return true;
      if (!isPromptOpen) void ask(window, next);
      return false;
    },
    // Where the user would be asked, the last window did not go by the user's hand: it crashed, or its profile ended.
    goesOnWithout: () => closeOutcome(context()) !== 'ends',
  };
}
