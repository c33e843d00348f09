// The state of one file transfer: which datagram comes next, and how an acknowledgement advances it. No socket, no
// clock.
import { encodeData, encodeOptions, type ReadRequest } from './packet.ts';

const defaultBlockBytes = 512;
const minBlockBytes = 8;
/** Fits in an Ethernet frame, because firmware handles fragments badly or not at all. */
const maxBlockBytes = 1468;
const maxTimeoutSeconds = 30;

export interface Transfer {
  /** The datagram to send, and to retransmit until it is acknowledged. */
  current(): Buffer;
  /** The timeout that the client requested, within limits. */
  readonly timeoutMs: number | undefined;
  /** Returns whether the client has responded. Until then, its address may be spoofed. */
  isConfirmed(): boolean;
  /** An unexpected block is ignored and does not trigger a retransmission (RFC 1123 section 4.2.3.1). */
  acknowledge(block: number): 'next' | 'done' | 'ignored';
}

export function createTransfer({ mode, options }: ReadRequest, file: Buffer): Transfer {
  const content = mode === 'netascii' ? toNetascii(file) : file;
  const acceptedOptions = new Map<string, string>();
  const requestedBytes = parseNumber(options.get('blksize'));
  const blockBytes =
    requestedBytes === undefined || requestedBytes < minBlockBytes
      ? defaultBlockBytes
      : Math.min(requestedBytes, maxBlockBytes);
  if (requestedBytes !== undefined && requestedBytes >= minBlockBytes)
    acceptedOptions.set('blksize', String(blockBytes));
  if (options.has('tsize')) acceptedOptions.set('tsize', String(content.length));
  const seconds = parseNumber(options.get('timeout'));
  const hasTimeout = seconds !== undefined && seconds >= 1 && seconds <= maxTimeoutSeconds;
  if (hasTimeout) acceptedOptions.set('timeout', String(seconds));
  // A file whose length is a multiple of the block size ends with an empty block.
  const lastBlock = Math.floor(content.length / blockBytes) + 1;
  const hasOptions = acceptedOptions.size > 0;
  let block = hasOptions ? 0 : 1;
  let hasResponded = false;
  return {
    current: () =>
      block === 0
        ? encodeOptions(acceptedOptions)
        : encodeData(block, content.subarray((block - 1) * blockBytes, block * blockBytes)),
    timeoutMs: hasTimeout ? seconds * 1000 : undefined,
    isConfirmed: () => hasResponded,
    acknowledge(acknowledged) {
      if (acknowledged !== (block & 0xffff)) return 'ignored';
      hasResponded = true;
      if (block === lastBlock) return 'done';
      block++;
      return 'next';
    },
  };
}

function parseNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}

/** By file: converting firmware takes milliseconds, and anyone in the network can ask for it. */
const converted = new WeakMap<Buffer, Buffer>();

function toNetascii(file: Buffer): Buffer {
  const known = converted.get(file);
  if (known !== undefined) return known;
  const text = file.toString('latin1').replaceAll('\r', '\r\0').replaceAll('\n', '\r\n');
  const content = Buffer.from(text, 'latin1');
  converted.set(file, content);
  return content;
}
