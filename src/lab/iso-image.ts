// A small ISO 9660 image with one file, which any system can mount. It is behind every name of the
// lab's catalogue.

const sectorBytes = 2048;
const volumeName = 'HOSTYARD_LAB';
const fileName = 'README.TXT;1';
/** The sector of each part. The first sixteen are reserved for the system. */
const sectors = { descriptor: 16, end: 17, pathLittle: 18, pathBig: 19, root: 20, file: 21, total: 22 };
const pathTableLength = 10;
const directoryFlag = 2;

export function labDisc(text: string): Buffer {
  const disc = Buffer.alloc(sectors.total * sectorBytes);
  const put = (at: number, content: Buffer): void => void content.copy(disc, at * sectorBytes);
  put(sectors.descriptor, primaryDescriptor());
  put(sectors.end, Buffer.concat([Buffer.from([255]), Buffer.from('CD001'), Buffer.from([1])]));
  put(sectors.pathLittle, pathTable('little'));
  put(sectors.pathBig, pathTable('big'));
  const content = Buffer.from(text);
  put(
    sectors.root,
    Buffer.concat([
      record('\0', sectors.root, sectorBytes, directoryFlag),
      record('\u0001', sectors.root, sectorBytes, directoryFlag),
      record(fileName, sectors.file, content.length, 0),
    ]),
  );
  put(sectors.file, content);
  return disc;
}

function primaryDescriptor(): Buffer {
  const bytes = Buffer.alloc(sectorBytes);
  bytes.write('\u0001CD001\u0001', 0, 'latin1');
  bytes.fill(' ', 8, 72);
  bytes.write(volumeName, 40, 'latin1');
  both32(sectors.total).copy(bytes, 80);
  both16(1).copy(bytes, 120);
  both16(1).copy(bytes, 124);
  both16(sectorBytes).copy(bytes, 128);
  both32(pathTableLength).copy(bytes, 132);
  bytes.writeUInt32LE(sectors.pathLittle, 140);
  bytes.writeUInt32BE(sectors.pathBig, 148);
  record('\0', sectors.root, sectorBytes, directoryFlag).copy(bytes, 156);
  // Publisher, preparer and the like stay blank, and four timestamps unset.
  bytes.fill(' ', 190, 813);
  for (let at = 813; at < 881; at += 17) bytes.fill('0', at, at + 16);
  bytes[881] = 1;
  return bytes;
}

/** Only the root directory: its length, sector, parent and name. */
function pathTable(order: 'little' | 'big'): Buffer {
  const bytes = Buffer.alloc(pathTableLength);
  bytes[0] = 1;
  if (order === 'little') bytes.writeUInt32LE(sectors.root, 2);
  else bytes.writeUInt32BE(sectors.root, 2);
  if (order === 'little') bytes.writeUInt16LE(1, 6);
  else bytes.writeUInt16BE(1, 6);
  return bytes;
}

/** A directory record, padded to an even length. */
function record(name: string, at: number, length: number, flags: number): Buffer {
  const bytes = Buffer.alloc(33 + name.length + (name.length % 2 === 0 ? 1 : 0));
  bytes[0] = bytes.length;
  both32(at).copy(bytes, 2);
  both32(length).copy(bytes, 10);
  // 2026-01-01, with the year since 1900.
  Buffer.from([126, 1, 1, 0, 0, 0, 0]).copy(bytes, 18);
  bytes[25] = flags;
  both16(1).copy(bytes, 28);
  bytes[32] = name.length;
  bytes.write(name, 33, 'latin1');
  return bytes;
}

/** Numbers are stored in both byte orders. */
function both32(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(value, 0);
  bytes.writeUInt32BE(value, 4);
  return bytes;
}
function both16(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(value, 0);
  bytes.writeUInt16BE(value, 2);
  return bytes;
}
