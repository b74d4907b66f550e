// Service, sandbox world: random numbers and elementary functions, bit-identical everywhere.
// Uses only + - * / and sqrt (exact by IEEE 754) and 32-bit integer arithmetic: the last digit of Math.exp
// and Math.log may differ between platforms.

/** Scrambles 32 bits (the finaliser of MurmurHash3). */
export function scramble(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Derives a 32-bit key from a key and a number. Keys of different numbers are independent. */
export const keyOf = (key: number, number: number): number =>
  scramble(Math.imul(key, 0x9e3779b1) ^ Math.imul(number + 0x7f4a7c15, 0x2c1b3c6d));

/** Derives a key from a key and a text. */
export function keyOfText(key: number, text: string): number {
  let result = keyOf(key, text.length);
  for (let index = 0; index < text.length; index++) result = keyOf(result, text.charCodeAt(index));
  return result;
}

/** A key as a number in [0, 1). */
export const unit = (key: number): number => key / 4_294_967_296;

const ROOT_THREE = Math.sqrt(3);

/**
 * An approximately normal number of mean 0 and deviation 1 from two keys: the sum of their four halves
 * (Irwin-Hall), within +-3.46. Its tails are deliberately light; callers scale it randomly for fat ones.
 */
export const normalDraw = (a: number, b: number): number =>
  (((a >>> 16) + (a & 0xffff) + (b >>> 16) + (b & 0xffff)) / 65_536 - 2) * ROOT_THREE;

/** A stream of 32-bit numbers (sfc32, Chris Doty-Humphrey's small fast chaotic generator). */
export function stream(key: number): () => number {
  let a = keyOf(key, 1) | 0;
  let b = keyOf(key, 2) | 0;
  let c = keyOf(key, 3) | 0;
  let counter = 1;
  const next = (): number => {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + result) | 0;
    return result >>> 0;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}

const LN_2 = Math.LN2;
/** 2 to the n - 64. */
const POWERS = new Float64Array(129).fill(1);
for (let n = 1; n <= 64; n++) {
  POWERS[64 + n] = 2 * (POWERS[63 + n] as number);
  POWERS[64 - n] = (POWERS[65 - n] as number) / 2;
}

/** 1/n, so that the series below multiply instead of divide. */
const INVERSE = Float64Array.from({ length: 24 }, (_, n) => (n === 0 ? 0 : 1 / n));

/** e to the x, for |x| <= 44; relative error below 2e-14. */
export function exp(x: number): number {
  const twos = Math.round(x / LN_2);
  const r = x - twos * LN_2;
  let sum = 1;
  for (let n = 11; n > 0; n--) sum = 1 + sum * r * (INVERSE[n] as number);
  return sum * (POWERS[twos + 64] as number);
}

/** The natural logarithm of x > 0; error below 1e-14. */
export function ln(x: number): number {
  let twos = 0;
  let m = x;
  while (m > Math.SQRT2) {
    m /= 2;
    twos += 1;
  }
  while (m < Math.SQRT1_2) {
    m *= 2;
    twos -= 1;
  }
  const s = (m - 1) / (m + 1);
  const s2 = s * s;
  let sum = 0;
  for (let n = 19; n > 0; n -= 2) sum = (INVERSE[n] as number) + s2 * sum;
  return 2 * s * sum + twos * LN_2;
}

/** Rounds to the quoted digits: four decimals below 10, two from there on. */
export const quoted = (price: number): number =>
  price < 10 ? Math.round(price * 10_000) / 10_000 : Math.round(price * 100) / 100;
