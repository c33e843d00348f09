// Builds a CD image of a few small files in one directory, as ISO 9660 with Joliet, to pass a seed to a system. Readers
// without Joliet see the names in capitals.

const sectorBytes = 2048;
const descriptors = { primary: 16, joliet: 17, end: 18 } as const;
const pathTables = { primary: { little: 19, big: 20 }, joliet: { little: 21, big: 22 } } as const;
const directories = { primary: 23, joliet: 24 } as const;
const firstFileSector = 25;

interface FileExtent {
  readonly name: string;
  readonly bytes: Buffer;
  readonly sector: number;
}

/** Names consist of letters, digits and hyphens; the label has at most 16 characters. */
export function isoImage(label: string, files: Readonly<Record<string, string>>): Buffer {
  let sector = firstFileSector;
  const extents: FileExtent[] = Object.entries(files).map(([name, text]) => {
    const bytes = Buffer.from(text);
    const file = { name, bytes, sector };
    sector += Math.max(1, Math.ceil(bytes.length / sectorBytes));
    return file;
  });
  const image = Buffer.alloc(sector * sectorBytes);
  const writeSector = (offset: number, bytes: Buffer): void => void bytes.copy(image, offset * sectorBytes);
  writeSector(descriptors.primary, descriptor('primary', label, sector));
  writeSector(descriptors.joliet, descriptor('joliet', label, sector));
  writeSector(descriptors.end, Buffer.from('\xffCD001\x01', 'latin1'));
  for (const tree of ['primary', 'joliet'] as const) {
    writeSector(pathTables[tree].little, pathTable(directories[tree], 'little'));
    writeSector(pathTables[tree].big, pathTable(directories[tree], 'big'));
    writeSector(directories[tree], directory(tree, extents));
  }
  for (const { sector, bytes } of extents) writeSector(sector, bytes);
  return image;
}

/** Returns the files of an image that `isoImage` built, or undefined for any other bytes. */
export function readIsoImage(image: Buffer): Record<string, string> | undefined {
  const records = image.subarray(directories.joliet * sectorBytes, (directories.joliet + 1) * sectorBytes);
  const files: Record<string, string> = {};
  let at = 0;
  for (let length = records[at]; length !== undefined && length > 0; at += length, length = records[at]) {
    const record = records.subarray(at, at + length);
    if (record.length < length || length < 34) return undefined;
    const name = Buffer.from(record.subarray(33, 33 + record.readUInt8(32)));
    if (name.length < 2) continue;
    const [start, bytes] = [record.readUInt32LE(2) * sectorBytes, record.readUInt32LE(10)];
    const text = image.subarray(start, start + bytes);
    if (name.length % 2 !== 0 || text.length < bytes) return undefined;
    files[name.swap16().toString('utf16le').replace(/;1$/, '')] = text.toString();
  }
  return at === 0 ? undefined : files;
}

type Tree = 'primary' | 'joliet';
const pathTableBytes = 10;

function descriptor(tree: Tree, label: string, sectors: number): Buffer {
  const bytes = Buffer.alloc(sectorBytes);
  const space = encodeName(tree, ' ');
  bytes.writeUInt8(tree === 'primary' ? 1 : 2, 0);
  bytes.write('CD001\x01', 1, 'latin1');
  bytes.fill(space, 8, 72).fill(space, 190, 813);
  encodeName(tree, label).copy(bytes, 40);
  writeBothEndian32(bytes, 80, sectors);
  // Escape sequence for UCS-2 names (Joliet level 3).
  if (tree === 'joliet') bytes.write('%/E', 88, 'latin1');
  writeBothEndian16(bytes, 120, 1);
  writeBothEndian16(bytes, 124, 1);
  writeBothEndian16(bytes, 128, sectorBytes);
  writeBothEndian32(bytes, 132, pathTableBytes);
  bytes.writeUInt32LE(pathTables[tree].little, 140);
  bytes.writeUInt32BE(pathTables[tree].big, 148);
  directoryRecord(Buffer.from([0]), directories[tree], sectorBytes, 'folder').copy(bytes, 156);
  for (const offset of [813, 830, 847, 864]) bytes.write('0'.repeat(16), offset, 'latin1');
  bytes.writeUInt8(1, 881);
  return bytes;
}

function pathTable(sector: number, order: 'little' | 'big'): Buffer {
  const bytes = Buffer.alloc(pathTableBytes);
  bytes.writeUInt8(1, 0);
  if (order === 'little') bytes.writeUInt32LE(sector, 2);
  else bytes.writeUInt32BE(sector, 2);
  bytes.writeUInt8(1, order === 'little' ? 6 : 7);
  return bytes;
}

function directory(tree: Tree, files: readonly FileExtent[]): Buffer {
  const self = directoryRecord(Buffer.from([0]), directories[tree], sectorBytes, 'folder');
  const parent = directoryRecord(Buffer.from([1]), directories[tree], sectorBytes, 'folder');
  const sorted = files.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return Buffer.concat([
    self,
    parent,
    ...sorted.map(({ name, bytes, sector }) =>
      directoryRecord(
        encodeName(tree, `${tree === 'primary' ? name.toUpperCase() : name};1`),
        sector,
        bytes.length,
        'file',
      ),
    ),
  ]);
}

function directoryRecord(name: Buffer, sector: number, length: number, kind: 'folder' | 'file'): Buffer {
  const bytes = Buffer.alloc(33 + name.length + ((name.length + 1) % 2));
  bytes.writeUInt8(bytes.length, 0);
  writeBothEndian32(bytes, 2, sector);
  writeBothEndian32(bytes, 10, length);
  // A constant date, so that the same seed always gives the same bytes.
  bytes.set([100, 1, 1, 0, 0, 0, 0], 18);
  bytes.writeUInt8(kind === 'folder' ? 2 : 0, 25);
  writeBothEndian16(bytes, 28, 1);
  bytes.writeUInt8(name.length, 32);
  name.copy(bytes, 33);
  return bytes;
}

function encodeName(tree: Tree, text: string): Buffer {
  return tree === 'primary' ? Buffer.from(text, 'latin1') : Buffer.from(text, 'utf16le').swap16();
}

function writeBothEndian16(bytes: Buffer, offset: number, value: number): void {
  bytes.writeUInt16LE(value, offset);
  bytes.writeUInt16BE(value, offset + 2);
}

function writeBothEndian32(bytes: Buffer, offset: number, value: number): void {
  bytes.writeUInt32LE(value, offset);
  bytes.writeUInt32BE(value, offset + 4);
}
