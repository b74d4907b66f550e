// Service, Alpaca: parses the key into id and secret.
// They go into headers and the first message of the stream only.
import { FeedError } from '../price-feed.ts';

export interface AlpacaKey {
  readonly id: string;
  readonly secret: string;
}

export const KEY_CURE =
  'Give KEY_ID:SECRET, as the dashboard of Alpaca shows them when a key is made: in the app under Settings, Keys; to a service in BAROGRAPH_FEED_KEY. After a reset of the account, make another one.';

/** @throws FeedError, which does not contain the key */
export function readKey(text: string | null): AlpacaKey {
  const [, id, secret] = /^([A-Za-z0-9]{8,64}):([A-Za-z0-9/+=_-]{8,128})$/.exec(text?.trim() ?? '') ?? [];
  if (id === undefined || secret === undefined)
    throw new FeedError(
      'fatal',
      `${text === null ? 'Alpaca needs a key.' : 'The key of Alpaca is not of the form KEY_ID:SECRET.'} ${KEY_CURE}`,
    );
  return { id, secret };
}

export const keyHeaders = ({ id, secret }: AlpacaKey): Readonly<Record<string, string>> => ({
  'APCA-API-KEY-ID': id,
  'APCA-API-SECRET-KEY': secret,
});

/** Keys of paper accounts begin with PK, and work only at the host of paper accounts. */
export const isPaper = ({ id }: AlpacaKey): boolean => id.startsWith('PK');
