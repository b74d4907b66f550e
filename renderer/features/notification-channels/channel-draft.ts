// Renderer, pure: the draft of a notification channel: every field as typed, and the problems of the invalid ones.
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { freshId } from '../../../shared/settings/fresh-id.ts';
import {
  CHANNEL_KINDS,
  type ChannelKindName,
  type DestinationDraft,
  destinationDraft,
  destinationIn,
  type NotificationChannel,
} from '../../../shared/settings/notification-channels/channels.ts';
import { texts } from '../../../shared/text/texts.ts';

export interface ChannelDraft extends DestinationDraft {
  /** null: it is new. */
  readonly id: string | null;
  readonly name: string;
  readonly kind: ChannelKindName;
  /** Empty: the saved one stays. */
  readonly secret: string;
  readonly isForSession: boolean;
}

const { problems } = texts.notificationChannels;

export const newChannelDraft = (kind: ChannelKindName): ChannelDraft => ({
  id: null,
  name: '',
  kind,
  ...destinationDraft(kind, null),
  secret: '',
  isForSession: false,
});

export const channelDraft = ({ id, name, destination }: NotificationChannel): ChannelDraft => ({
  id,
  name,
  kind: destination.kind,
  ...destinationDraft(destination.kind, destination),
  secret: '',
  isForSession: false,
});

export interface ChannelEdit {
  readonly channel: NotificationChannel;
  /** null: the saved one stays. */
  readonly secret: string | null;
  readonly isForSession: boolean;
}

/** @param taken ids in use. @returns what to save, or the problems by path */
export function channelIn(
  draft: ChannelDraft,
  taken: readonly string[],
): Result<ChannelEdit, Readonly<Record<string, string>>> {
  const { kind } = draft;
  const name = draft.name.trim();
  const secret = draft.secret.trim();
  const wanted = CHANNEL_KINDS[kind].secret;
  const destination = destinationIn(kind, draft);
  const found: Record<string, string> = {};
  if (name === '' || name.length > 60) found.name = problems.name;
  if (!destination.ok)
    for (const [field, problem] of Object.entries(destination.error)) found[`texts.${field}`] = problem;
  if (secret !== '' && wanted?.pattern.test(secret) === false) found.secret = wanted.problem;
  if (secret === '' && wanted?.isRequired === true && draft.id === null) found.secret = problems.secret;
  if (Object.keys(found).length > 0 || !destination.ok) return err(found);
  const id = draft.id ?? freshId(name, taken, 'channel');
  return ok({
    channel: { id, name, destination: destination.value },
    secret: secret === '' ? null : secret,
    isForSession: draft.isForSession,
  });
}
