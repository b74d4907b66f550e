// Main, Electron shell: the core's end of the IPC link: checks sender, then name, then payload.
import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron';
import { BRIDGE_CALL, BRIDGE_PUSH } from '../../shared/channels/bridge.ts';
import { type Answer, failedCall } from '../../shared/channels/channel.ts';
import type { LinkedCore } from '../../shared/channels/link.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import { message } from '../../shared/text/message.ts';
import { isOwnPage } from './app-protocol.ts';

export interface IpcLink {
  /**
   * Connects the window to this core until it closes. `onEnd`: the core has ended, and the window must close.
   */
  attach(contents: WebContents, core: LinkedCore, onEnd?: () => void): void;
  close(): void;
}

/**
 * @param onForeign receives the address of a refused sender
 * @param onSent receives every value sent to windows, with its channel
 */
export function createIpcLink(
  ipcMain: Pick<IpcMain, 'handle' | 'removeHandler'>,
  onForeign: (url: string) => void,
  onSent: (channel: string, value: unknown) => void = () => undefined,
): IpcLink {
  const windows = new Map<number, { core: LinkedCore; detach: Cancel }>();

  ipcMain.handle(BRIDGE_CALL, async (event, name: unknown, payload: unknown): Promise<Answer> => {
    const window = isTrusted(event) ? windows.get(event.sender.id) : undefined;
    if (window === undefined) {
      onForeign(event.senderFrame?.url ?? 'a frame that is gone');
      return failedCall('refused', message('shell.foreign_page'));
    }
    if (typeof name !== 'string') return failedCall('unknown_channel', message('shell.call_without_name'));
    const answer = await window.core.dispatch(name, payload);
    if (answer.ok) onSent(name, answer.value);
    return answer;
  });

  return {
    attach(contents, core, onEnd = () => undefined) {
      const detach = core.attach({
        push: (name, payload) => {
          if (contents.isDestroyed() || !isOwnPage(contents.getURL())) return;
          onSent(name, payload);
          contents.send(BRIDGE_PUSH, name, payload);
        },
        end: onEnd,
      });
      windows.set(contents.id, { core, detach });
      const { id } = contents;
      contents.once('destroyed', () => {
        windows.delete(id);
        detach();
      });
    },
    close() {
      ipcMain.removeHandler(BRIDGE_CALL);
      for (const { detach } of windows.values()) detach();
      windows.clear();
    },
  };
}

/** Only the top frame of an app page may call. */
const isTrusted = ({ senderFrame }: IpcMainInvokeEvent): boolean =>
  senderFrame !== null && senderFrame.parent === null && isOwnPage(senderFrame.url);
