// Main, Electron shell: a toast of Windows as XML, and what Windows returns when the user answers it.
// Electron's own XML has no arguments for a click, so that a click on a toast of an earlier run would not tell
// which one it was.
import { createHash } from 'node:crypto';
import type { ActivationArguments } from 'electron';
import { answerLabel, BUTTONS, type NotificationAnswer } from '../core/notifications/answers.ts';
import { type NotificationName, nameOf, readName, type ShellRequest } from '../host/notification-log.ts';

/** The tag by which a toast replaces an earlier one: letters and digits, exactly as many as Windows allows. */
export const toastTag = (name: NotificationName): string => createHash('sha256').update(nameOf(name)).digest('hex');

export function toastXml(request: ShellRequest): string {
  const { title, body, urgency, silent, answers = [] } = request;
  const stays = urgency === 'critical';
  const texts = [title, body].filter((text) => text !== '').map((text) => `<text>${escapeXml(text)}</text>`);
  const buttons = answers.map(
    (answer, index) =>
      `<action activationType="foreground" arguments="${escapeXml(argumentsOf(request, `action&action=${index}`))}" content="${escapeXml(answerLabel(answer, request))}"/>`,
  );
  // Only a reminder stays until it is answered, and only with a button. Windows labels this one itself.
  if (stays) buttons.push('<action activationType="system" arguments="dismiss" content=""/>');
  return [
    `<toast launch="${escapeXml(argumentsOf(request, 'click'))}"${stays ? ' scenario="reminder"' : ''}>`,
    `<visual><binding template="ToastGeneric">${texts.join('')}</binding></visual>`,
    buttons.length === 0 ? '' : `<actions>${buttons.join('')}</actions>`,
    silent ? '<audio silent="true"/>' : '',
    '</toast>',
  ].join('');
}

/** Which notification was answered, null where that cannot be read, and how. */
export function readActivation({ type, actionIndex, arguments: text }: ActivationArguments): {
  readonly notification: NotificationName | null;
  readonly answer: NotificationAnswer;
} {
  const button = type === 'action' ? BUTTONS[actionIndex ?? -1] : undefined;
  return { notification: readName(new URLSearchParams(text).get('name') ?? ''), answer: button ?? 'open' };
}

/**
 * The pairs that Electron reads (`type`, `action`), and the name. Only what has a meaning is escaped: Windows limits a
 * toast to 5 KB.
 */
const argumentsOf = (name: NotificationName, type: string): string =>
  `type=${type}&name=${nameOf(name).replace(/[%&=+\p{Cc}\ufffe\uffff]/gu, encodeURIComponent)}`;

/** Drops what XML does not allow even when escaped: Windows would refuse the toast. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\n]|[\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
