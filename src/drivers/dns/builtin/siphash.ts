// SipHash-2-4 (https://www.aumasson.jp/siphash/), the hash of DNS cookies (RFC 9018 section 4.4), on halves of 32 bits.

/** The state v0 to v3, each as its low and its high half. */
const state = new Int32Array(8);

/** Adds the 64-bit number at `other` to the one at `target`. */
function add(target: number, other: number): void {
  const low = (state[target]! >>> 0) + (state[other]! >>> 0);
  state[target + 1] = state[target + 1]! + state[other + 1]! + (low > 0xffffffff ? 1 : 0);
  state[target] = low;
}

/** Rotates `target` to the left by less than 32 bits and adds `other` to it without carry. */
function rotateXor(target: number, bits: number, other: number): void {
  const [low, high] = [state[target]!, state[target + 1]!];
  state[target] = ((low << bits) | (high >>> (32 - bits))) ^ state[other]!;
  state[target + 1] = ((high << bits) | (low >>> (32 - bits))) ^ state[other + 1]!;
}

function swapHalves(target: number): void {
  const low = state[target]!;
  state[target] = state[target + 1]!;
  state[target + 1] = low;
}

const [v0, v1, v2, v3] = [0, 2, 4, 6] as const;

function round(): void {
  add(v0, v1);
  rotateXor(v1, 13, v0);
  swapHalves(v0);
  add(v2, v3);
  rotateXor(v3, 16, v2);
  add(v0, v3);
  rotateXor(v3, 21, v0);
  add(v2, v1);
  rotateXor(v1, 17, v2);
  swapHalves(v2);
}

function absorb(low: number, high: number): void {
  state[v3]! ^= low;
  state[v3 + 1]! ^= high;
  round();
  round();
  state[v0]! ^= low;
  state[v0 + 1]! ^= high;
}

/** Writes the 8 bytes of the hash of the first `length` bytes of `data` to `out`. The key has 16 bytes. */
export function sipHash(key: DataView, data: DataView, length: number, out: DataView): void {
  const [low0, high0, low1, high1] = [
    key.getInt32(0, true),
    key.getInt32(4, true),
    key.getInt32(8, true),
    key.getInt32(12, true),
  ];
  state.set([
    low0 ^ 0x70736575,
    high0 ^ 0x736f6d65,
    low1 ^ 0x6e646f6d,
    high1 ^ 0x646f7261,
    low0 ^ 0x6e657261,
    high0 ^ 0x6c796765,
    low1 ^ 0x79746573,
    high1 ^ 0x74656462,
  ]);
  const whole = length & ~7;
  for (let offset = 0; offset < whole; offset += 8)
    absorb(data.getInt32(offset, true), data.getInt32(offset + 4, true));
  let [low, high] = [0, (length & 0xff) << 24];
  for (let offset = whole; offset < length; offset++) {
    const shift = (offset & 3) * 8;
    if (offset - whole < 4) low |= data.getUint8(offset) << shift;
    else high |= data.getUint8(offset) << shift;
  }
  absorb(low, high);
  state[v2]! ^= 0xff;
  for (let index = 0; index < 4; index++) round();
  out.setInt32(0, state[v0]! ^ state[v1]! ^ state[v2]! ^ state[v3]!, true);
  out.setInt32(4, state[v0 + 1]! ^ state[v1 + 1]! ^ state[v2 + 1]! ^ state[v3 + 1]!, true);
}
