// The header of a qcow2 image: which file it is an overlay on.
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
  const clusterBytes = 2 ** image.readUInt32BE(at.clusterBits);
  const bytes = Buffer.from(path);
  const end = offset + bytes.length;
  if (offset < headerBytes || bytes.length > maxPathBytes || end > Math.min(clusterBytes, image.length))
    throw unexpected('it has no room for the path of its backing file');
  bytes.copy(image, offset);
  image.writeUInt32BE(bytes.length, at.backingLength);
}

function unexpected(why: string): ApiError {
  return new ApiError('node_error', { internal: `cannot copy the image: ${why}` });
}
