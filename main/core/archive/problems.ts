// Main, core: why the archive cannot be used or filled, as messages for the window.
import { type ProblemKind, problem, type ServiceProblem } from '../../../client/problem.ts';
import { RefusedError, refused } from '../../../shared/channels/channel.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { FutureFileError } from '../files/migrate.ts';
import { isDamage } from '../files/sqlite-file.ts';

/** A problem of the service, or of its answers. */
export interface FillingProblem extends Omit<ServiceProblem, 'message'> {
  readonly message: Message;
}

export const fillingProblem = (kind: ProblemKind, found: Message): FillingProblem => ({
  ...problem(kind, '', 200),
  message: found,
});

export const asFillingProblem = (found: ServiceProblem): FillingProblem => ({
  ...found,
  message: plainMessage(found.message),
});

export const noArchive = (): RefusedError => refused(message('archive.none'));

/** The message for an error of the files. */
export function archiveErrorMessage(error: unknown): Message {
  if (error instanceof RefusedError) return error.refusal.message;
  const why = messageOf(error);
  if (error instanceof FutureFileError) return plainMessage(why);
  return message(isDamage(error) ? 'archive.unusable' : 'archive.unusable_disk', { why });
}
