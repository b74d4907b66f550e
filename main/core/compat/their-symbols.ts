// Main, core: sends the service its own spelling of symbols, where it is another than that of the watchlists.
import type { Client } from '../../../client/client.ts';
import type { Vocabulary } from './vocabulary.ts';

interface Input {
  readonly query?: object | undefined;
  readonly params?: object | undefined;
}

export function withTheirSymbols(client: Client, { theirSymbol }: Pick<Vocabulary, 'theirSymbol'>): Client {
  const spell = (value: unknown): unknown => {
    if (typeof value === 'string') return theirSymbol(value);
    return Array.isArray(value) ? value.map(spell) : value;
  };
  const spelled = (fields: object): object =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, /^symbols?$/.test(name) ? spell(value) : value]),
    );
  const translated = <Ask>(ask: Ask): Ask => {
    const { query, params, ...rest } = (ask ?? {}) as Input;
    return {
      ...rest,
      ...(query === undefined ? {} : { query: spelled(query) }),
      ...(params === undefined ? {} : { params: spelled(params) }),
    } as Ask;
  };
  return {
    get baseUrl() {
      return client.baseUrl;
    },
    call: (name, ask) => client.call(name, translated(ask)),
    read: (name, ask) => client.read(name, translated(ask)),
    page: (name, ask) => client.page(name, translated(ask)),
    openStream: client.openStream,
    close: client.close,
  };
}
