// Conformance: sends requests with the key in the accepted form, and reads rows of lists.
import { z } from 'zod';
import { readList } from '../client/client.ts';
import { type Answer, createRecorder, type ProbeOptions, type ProbeRequest, type Recorder } from './recorder.ts';
import { type Fields, objectsIn } from './shapes.ts';

type KeyForm = 'X-API-Key' | 'Bearer';

export interface Probe
  extends Pick<ProbeOptions, 'base' | 'key' | 'mayWrite' | 'clock'>,
    Pick<Recorder, 'answers' | 'open' | 'unanswered' | 'waited' | 'close'> {
  ask(path: string, ask?: ProbeRequest): Promise<Answer>;
  /** GET with the key; each path is requested once. */
  get(path: string): Promise<Answer>;
  /** Headers with the key in the form that the service accepts. */
  credentials(key?: string | null): Promise<Readonly<Record<string, string>>>;
  /** The accepted form of the key; null before the first accepted one. */
  form(): KeyForm | null;
  /** Rows of a list endpoint, as objects. */
  rows(path: string): Promise<readonly Fields[]>;
  /** A symbol with a signal: SPY, else the first of the snapshot. */
  symbol(): Promise<string>;
  /** A second symbol with a signal, or null. */
  other(): Promise<string | null>;
}

const DEFAULT_SYMBOL = 'SPY';

export function createProbe(options: ProbeOptions): Probe {
  const { base, key, clock, mayWrite } = options;
  const cache = new Map<string, Promise<Answer>>();
  let form: KeyForm | null = null;

  const recorder = createRecorder(options);
  const ask = async (path: string, request: ProbeRequest = {}): Promise<Answer> => {
    const given = request.key === undefined ? key : request.key;
    if (given === null || given !== key || form !== null)
      return recorder.sendPatiently(path, request, headersFor(given, form ?? 'X-API-Key'));
    const first = await recorder.sendPatiently(path, request, headersFor(given, 'X-API-Key'));
    if (first.status !== 401) {
      // An open endpoint accepts anything.
      if (first.status < 300 && (await recorder.send(path, request, {})).status === 401) form = 'X-API-Key';
      return first;
    }
    const second = await recorder.sendPatiently(path, request, headersFor(given, 'Bearer'));
    if (second.status === 401) return first;
    form = 'Bearer';
    return second;
  };

  const get = (path: string): Promise<Answer> => {
    const known = cache.get(path) ?? ask(path);
    cache.set(path, known);
    return known;
  };
  const rows = async (path: string): Promise<readonly Fields[]> => {
    const { body, status } = await get(path);
    return status === 200 ? objectsIn(readList(body, path.split('?')[0]?.split('/').at(-1) ?? '')?.rows ?? []) : [];
  };
  const symbols = async (): Promise<string[]> => {
    const found = (await rows('/snapshot?limit=100')).flatMap(({ symbol }) =>
      typeof symbol === 'string' ? [symbol] : [],
    );
    return found.includes(DEFAULT_SYMBOL) ? [DEFAULT_SYMBOL, ...found.filter((one) => one !== DEFAULT_SYMBOL)] : found;
  };

  return {
    base,
    key,
    mayWrite,
    clock,
    ask,
    get,
    rows,
    credentials: async (given = key) => {
      if (form === null) await get('/snapshot?limit=100');
      return headersFor(given, form ?? 'X-API-Key');
    },
    form: () => form,
    answers: recorder.answers,
    open: recorder.open,
    unanswered: recorder.unanswered,
    waited: recorder.waited,
    close: recorder.close,
    symbol: async () => (await symbols())[0] ?? DEFAULT_SYMBOL,
    other: async () => (await symbols())[1] ?? null,
  };
}

const headersFor = (key: string | null, form: KeyForm): Record<string, string> => {
  if (key === null) return {};
  return form === 'Bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
};

const RootSchema = z.object({ code: z.string() }).partial();
/** The error code of an answer in lower case, or "". */
export const codeOf = ({ body }: Answer): string => RootSchema.safeParse(body).data?.code?.toLowerCase() ?? '';
