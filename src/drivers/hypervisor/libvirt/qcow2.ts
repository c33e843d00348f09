// The qcow2 format, version 3: which file an image is an overlay on, and the image of a disk whose content arrives as a stream.
// https://www.qemu.org/docs/master/interop/qcow2.html
import { ApiError } from '#lib/api-error.ts';

const magic = 0x514649fb;
const at = { backingOffset: 8, backingLength: 16, clusterBits: 20 } as const;
const headerBytes = 72;
/** QEMU reads no longer names. */
const maxPathBytes = 1023;

/** Changes, in the beginning of an image, the path of the file that it is an overlay on. The name must stay in the first cluster. */
export function setBackingFile(image: Buffer, path: string): void {
  if (image.length < headerBytes || image.readUInt32BE(0) !== magic) throw unexpected('it is not qcow2');
  const offset = Number(image.readBigUInt64BE(at.backingOffset));
  const firstClusterBytes = 2 ** image.readUInt32BE(at.clusterBits);
  const bytes = Buffer.from(path);
  const end = offset + bytes.length;
  if (offset < headerBytes || bytes.length > maxPathBytes || end > Math.min(firstClusterBytes, image.length))
    throw unexpected('it has no room for the path of its backing file');
  bytes.copy(image, offset);
  image.writeUInt32BE(bytes.length, at.backingLength);
}

function unexpected(why: string): ApiError {
  return new ApiError('node_error', { internal: `cannot copy the image: ${why}` });
}

const clusterBits = 16;
const clusterBytes = 2 ** clusterBits;
const pointersPerCluster = clusterBytes / 8;
/** With 16 bits for each. */
const countsPerCluster = clusterBytes / 2;
const headerLength = 104;
const countOrder = 4;
/** Of a cluster that nothing else refers to. */
const isOwn = 2n ** 63n;

/**
 * Returns the image of a disk of this size. Every cluster has its place, so that what is zero need not be written. libvirt guesses
 * the format of a file by its first bytes, and those of a raw disk are the customer's: with the header of an image there, libvirt
 * would read any file of the hypervisor for them. So the content of customers never is a file of its own.
 */
export async function* qcow2Image(bytes: number, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const clusters = Math.ceil(bytes / clusterBytes);
  const tables = Math.ceil(clusters / pointersPerCluster);
  const listClusters = Math.ceil(tables / pointersPerCluster);
  let [countBlocks, countListClusters, total] = [0, 0, 0];
  // The counts themselves are counted as well.
  for (let previous = -1; previous !== total;) {
    previous = total;
    total = 1 + countListClusters + countBlocks + listClusters + tables + clusters;
    countBlocks = Math.ceil(total / countsPerCluster);
    countListClusters = Math.ceil(countBlocks / pointersPerCluster);
  }
  const countsAt = 1 + countListClusters;
  const listAt = countsAt + countBlocks;
  const tablesAt = listAt + listClusters;
  yield header(bytes, { tables, listAt, countListClusters });
  yield* pointers(countListClusters, countsAt, countBlocks, 0n);
  for (let block = 0; block < countBlocks; block++) {
    const counts = Buffer.alloc(clusterBytes);
    const used = Math.min(countsPerCluster, total - block * countsPerCluster);
    for (let entry = 0; entry < used; entry++) counts.writeUInt16BE(1, entry * 2);
    yield counts;
  }
  yield* pointers(listClusters, tablesAt, tables, isOwn);
  yield* pointers(tables, tablesAt + tables, clusters, isOwn);
  let left = clusters * clusterBytes;
  for await (const chunk of content) {
    if (chunk.length > left) throw new ApiError('backup_error', { internal: 'the content is larger than the disk' });
    left -= chunk.length;
    yield chunk;
  }
  const zeros = Buffer.alloc(clusterBytes);
  for (; left > 0; left -= clusterBytes) yield zeros.subarray(0, Math.min(left, clusterBytes));
}

interface Places {
  readonly tables: number;
  readonly listAt: number;
  readonly countListClusters: number;
}

function header(bytes: number, { tables, listAt, countListClusters }: Places): Buffer {
  const block = Buffer.alloc(clusterBytes);
  block.writeUInt32BE(magic, 0);
  block.writeUInt32BE(3, 4);
  block.writeUInt32BE(clusterBits, at.clusterBits);
  block.writeBigUInt64BE(BigInt(bytes), 24);
  block.writeUInt32BE(tables, 36);
  block.writeBigUInt64BE(BigInt(listAt * clusterBytes), 40);
  block.writeBigUInt64BE(BigInt(clusterBytes), 48);
  block.writeUInt32BE(countListClusters, 56);
  block.writeUInt32BE(countOrder, 96);
  block.writeUInt32BE(headerLength, 100);
  return block;
}

/** Returns clusters with pointers to this many clusters that follow one another. */
function* pointers(length: number, first: number, count: number, flags: bigint): Generator<Buffer> {
  for (let cluster = 0; cluster < length; cluster++) {
    const block = Buffer.alloc(clusterBytes);
    const start = cluster * pointersPerCluster;
    for (let entry = start; entry < Math.min(start + pointersPerCluster, count); entry++)
      block.writeBigUInt64BE(BigInt((first + entry) * clusterBytes) | flags, (entry - start) * 8);
    yield block;
  }
}
