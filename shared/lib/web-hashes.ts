// Pure: hashes as hexadecimal text, by WebCrypto, which browsers, Deno, Bun and Node have.

export interface Hashes {
  sha256(text: string): string | Promise<string>;
  hmac(key: string, text: string): string | Promise<string>;
}

/** The needed part of WebCrypto; neither Node's nor a browser's types are available here. */
interface WebCrypto {
  getRandomValues(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
  readonly subtle: {
    digest(name: string, data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>;
    importKey(
      format: 'raw',
      data: Uint8Array<ArrayBuffer>,
      algorithm: { name: string; hash: string },
      extractable: boolean,
      uses: 'sign'[],
    ): Promise<unknown>;
    sign(name: string, key: never, data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>;
  };
}

/** The texts are ASCII. */
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));
const hexOf = (bytes: Iterable<number>): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export const createWebHashes = ({ subtle }: WebCrypto): Hashes => ({
  sha256: async (text) => hexOf(new Uint8Array(await subtle.digest('SHA-256', bytesOf(text)))),
  async hmac(key, text) {
    const imported = await subtle.importKey('raw', bytesOf(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    return hexOf(new Uint8Array(await subtle.sign('HMAC', imported as never, bytesOf(text))));
  },
});

/** 32 random bytes. */
export const newNonce = (crypto: Pick<WebCrypto, 'getRandomValues'>): string =>
  hexOf(crypto.getRandomValues(new Uint8Array(32)));
