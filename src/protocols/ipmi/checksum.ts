// IPMI's two's complement checksum: the bytes and their checksum add up to 0 modulo 256.

export function checksum(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let sum = 0;
  for (let at = start; at < end; at++) sum += bytes[at] ?? 0;
  return -sum & 0xff;
}
