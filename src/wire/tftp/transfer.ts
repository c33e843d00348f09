// One file on its way to one reader: which datagram comes next, and what an acknowledgement makes of it. No socket, no clock.
import { encodeData, encodeOptions, type ReadRequest } from './packet.ts';

const defaultBlockBytes = 512;
const leastBlockBytes = 8;
/** What passes an Ethernet in one piece: firmware puts fragments together badly or not at all. */
const mostBlockBytes = 1468;
const mostTimeoutSeconds = 30;

export interface Transfer {
  /** To be sent, and sent again until it is acknowledged. */
  current(): Buffer;
  /** What the reader asked for, within bounds. */
  readonly timeoutMs: number | undefined;
  /** Whether the reader has answered at all: before that its address may be somebody else's. */
  isConfirmed(): boolean;
  /** Something else than what is waited for is no reason to send again. */
  acknowledge(block: number): 'next' | 'done' | 'ignored';
}

export function beginTransfer({ mode, options }: ReadRequest, file: Buffer): Transfer {
  const content = mode === 'netascii' ? netascii(file) : file;
  const granted = new Map<string, string>();
  const asked = number(options.get('blksize'));
  const blockBytes =
    asked === undefined || asked < leastBlockBytes ? defaultBlockBytes : Math.min(asked, mostBlockBytes);
  if (asked !== undefined && asked >= leastBlockBytes) granted.set('blksize', String(blockBytes));
  if (options.has('tsize')) granted.set('tsize', String(content.length));
  const seconds = number(options.get('timeout'));
  const hasTimeout = seconds !== undefined && seconds >= 1 && seconds <= mostTimeoutSeconds;
  if (hasTimeout) granted.set('timeout', String(seconds));
  // A file of a whole number of blocks ends with an empty one.
  const lastBlock = Math.floor(content.length / blockBytes) + 1;
  const hasOptions = granted.size > 0;
  let block = hasOptions ? 0 : 1;
  let confirmed = false;
  return {
    current: () =>
      block === 0
        ? encodeOptions(granted)
        : encodeData(block, content.subarray((block - 1) * blockBytes, block * blockBytes)),
    timeoutMs: hasTimeout ? seconds * 1000 : undefined,
    isConfirmed: () => confirmed,
    acknowledge(acknowledged) {
      if (acknowledged !== (block & 0xffff)) return 'ignored';
      confirmed = true;
      if (block === lastBlock) return 'done';
      block++;
      return 'next';
    },
  };
}

function number(text: string | undefined): number | undefined {
  return text !== undefined && /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}

function netascii(file: Buffer): Buffer {
  const text = file.toString('latin1').replaceAll('\r', '\r\0').replaceAll('\n', '\r\n');
  return Buffer.from(text, 'latin1');
}
