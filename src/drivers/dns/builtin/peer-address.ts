// The address of a peer, as bytes, in an object that is reused: a flood must not cost a string per packet.
import { isIPv6 } from 'node:net';

const ipv4Bytes = 4;
const ipv6Bytes = 16;
/** IPv4 addresses as dual-stack sockets report them: ::ffff:192.0.2.1. */
const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
/** Tells the prefixes of IPv6 from those of IPv4. */
const ipv6Bit = 0x80000000;

export class PeerAddress {
  readonly bytes = new Uint8Array(ipv6Bytes);
  /** 4 or 16. */
  length = ipv4Bytes;

  /** Reads an address as sockets print it. */
  readText(text: string): void {
    if (isIPv6(text)) this.#setIpv6(parseIpv6(text), 0);
    else this.#setIpv4(text);
  }

  /** Copies an address of 4 or 16 bytes. */
  readBytes(source: Uint8Array, at: number, length: number): void {
    if (length === ipv6Bytes) return this.#setIpv6(source, at);
    this.length = length;
    for (let index = 0; index < length; index++) this.bytes[index] = source[at + index]!;
  }

  /** Limits apply to networks, because someone with one address usually has many: an IPv4 /24 or an IPv6 /56. */
  get prefixHigh(): number {
    const [first, second, third] = this.bytes;
    const top = ((first! << 16) | (second! << 8) | third!) >>> 0;
    return this.length === ipv4Bytes ? top : ((top << 8) | this.bytes[3]!) >>> 0;
  }

  get prefixLow(): number {
    if (this.length === ipv4Bytes) return 0;
    return (ipv6Bit | (this.bytes[4]! << 16) | (this.bytes[5]! << 8) | this.bytes[6]!) >>> 0;
  }

  toString(): string {
    if (this.length === ipv4Bytes) return this.bytes.subarray(0, ipv4Bytes).join('.');
    const view = new DataView(this.bytes.buffer);
    return Array.from({ length: 8 }, (_, group) => view.getUint16(group * 2).toString(16)).join(':');
  }

  #setIpv4(text: string): void {
    this.length = ipv4Bytes;
    let value = 0;
    let index = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x2e) {
        this.bytes[index++] = value;
        value = 0;
      } else value = value * 10 + code - 0x30;
    }
    this.bytes[index] = value;
  }

  #setIpv6(source: Uint8Array | readonly number[], at: number): void {
    const isMapped = mappedPrefix.every((byte, index) => source[at + index] === byte);
    const first = isMapped ? at + mappedPrefix.length : at;
    this.length = isMapped ? ipv4Bytes : ipv6Bytes;
    for (let index = 0; index < this.length; index++) this.bytes[index] = source[first + index]!;
  }
}

/** Returns a key for the network of an address, for what is rare enough for strings. */
export function prefixOf(address: string): string {
  const peer = new PeerAddress();
  peer.readText(address);
  return `${peer.prefixHigh} ${peer.prefixLow}`;
}

function parseIpv6(text: string): number[] {
  const [address = ''] = text.split('%');
  const halves = address.split('::').map((half) =>
    half
      .split(':')
      .filter((group) => group !== '')
      .flatMap(groupBytes),
  );
  const [head = [], tail = []] = halves;
  return [...head, ...Array<number>(ipv6Bytes - head.length - tail.length).fill(0), ...tail];
}

function groupBytes(group: string): number[] {
  if (group.includes('.')) return group.split('.').map(Number);
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
}
