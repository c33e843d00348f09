// Solves the challenge of a sign-up: finds a number with which the SHA-256 digest of `challenge:number` begins with enough
// zero bits. The digest is computed here, because WebCrypto returns a promise for each and needs a page with TLS.
export interface Challenge {
  readonly challenge: string;
  /** Zero bits, at most 32. Each more doubles the work. */
  readonly difficulty: number;
}

export interface SolveOptions {
  /** Called with the share of the expected work that is done; some challenges take several times as long. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

const digestsPerSlice = 20_000;

/** Pauses between slices of the work, so that a page or program stays responsive. */
export async function solveChallenge(
  { challenge, difficulty }: Challenge,
  { onProgress, signal }: SolveOptions = {},
): Promise<string> {
  for (let from = 0; ; from += digestsPerSlice) {
    signal?.throwIfAborted();
    const solution = findSolution(challenge, difficulty, from, from + digestsPerSlice);
    if (solution !== undefined) return String(solution);
    onProgress?.((from + digestsPerSlice) / 2 ** difficulty);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

function findSolution(challenge: string, difficulty: number, from: number, end: number): number | undefined {
  for (let number = from; number < end; number++)
    if (Math.clz32(sha256(`${challenge}:${number}`)[0]!) >= difficulty) return number;
  return undefined;
}

const primes = [...Array(312).keys()].filter((n) => n > 1 && [...Array(n).keys()].every((d) => d < 2 || n % d !== 0));
const fraction = (value: number): number => (value - Math.floor(value)) * 2 ** 32;
const initialState = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const roundConstants = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const schedule = new Uint32Array(64);

/** Returns the digest of a text in ASCII as eight words (FIPS 180-4). */
export function sha256(text: string): Uint32Array {
  const state = Uint32Array.from(initialState);
  const blocks = Math.ceil((text.length + 9) / 64);
  for (let block = 0; block < blocks; block++) {
    for (let word = 0; word < 16; word++) {
      const at = block * 64 + word * 4;
      schedule[word] =
        (byteOf(text, at) << 24) | (byteOf(text, at + 1) << 16) | (byteOf(text, at + 2) << 8) | byteOf(text, at + 3);
    }
    if (block === blocks - 1) schedule[15] = text.length * 8;
    compress(state);
  }
  return state;
}

function byteOf(text: string, at: number): number {
  if (at < text.length) return text.charCodeAt(at);
  return at === text.length ? 0x80 : 0;
}

function compress(state: Uint32Array): void {
  for (let t = 16; t < 64; t++) {
    const [early, late] = [schedule[t - 15]!, schedule[t - 2]!];
    const sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[t] = schedule[t - 16]! + sigma0 + schedule[t - 7]! + sigma1;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let t = 0; t < 64; t++) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + sum1 + ((e & f) ^ (~e & g)) + roundConstants[t]! + schedule[t]!) | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
