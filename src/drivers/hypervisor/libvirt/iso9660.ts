// A CD image of a few small files in one folder, as ISO 9660 with Joliet: the form in which a system is handed its seed. Old
// readers find the names in capitals; all that matter read Joliet, which keeps them as they are.

const sectorBytes = 2048;
const descriptors = { primary: 16, joliet: 17, end: 18 } as const;
const pathTables = { primary: { little: 19, big: 20 }, joliet: { little: 21, big: 22 } } as const;
const folders = { primary: 23, joliet: 24 } as const;
const firstFileSector = 25;

interface Placed {
  readonly name: string;
  readonly bytes: Buffer;
  readonly sector: number;
}

/** The names are letters, digits and hyphens; the label at most 16 of them. */
export function isoImage(label: string, files: Readonly<Record<string, string>>): Buffer {
  let sector = firstFileSector;
  const placed: Placed[] = Object.entries(files).map(([name, text]) => {
    const bytes = Buffer.from(text);
    const file = { name, bytes, sector };
    sector += Math.max(1, Math.ceil(bytes.length / sectorBytes));
    return file;
  });
  const image = Buffer.alloc(sector * sectorBytes);
  const put = (at: number, bytes: Buffer): void => void bytes.copy(image, at * sectorBytes);
  put(descriptors.primary, descriptor('primary', label, sector));
  put(descriptors.joliet, descriptor('joliet', label, sector));
  put(descriptors.end, Buffer.from('\xffCD001\x01', 'latin1'));
  for (const tree of ['primary', 'joliet'] as const) {
    put(pathTables[tree].little, pathTable(folders[tree], 'little'));
    put(pathTables[tree].big, pathTable(folders[tree], 'big'));
    put(folders[tree], folder(tree, placed));
  }
  for (const { sector, bytes } of placed) put(sector, bytes);
  return image;
}

type Tree = 'primary' | 'joliet';
const pathTableBytes = 10;

function descriptor(tree: Tree, label: string, sectors: number): Buffer {
  const bytes = Buffer.alloc(sectorBytes);
  const space = named(tree, ' ');
  bytes.writeUInt8(tree === 'primary' ? 1 : 2, 0);
  bytes.write('CD001\x01', 1, 'latin1');
  for (const [from, to] of [
    [8, 72],
    [190, 813],
  ] as const)
    bytes.fill(space, from, to);
  named(tree, label).copy(bytes, 40);
  bothEnds32(bytes, 80, sectors);
  // Which characters Joliet's names are in: UCS-2.
  if (tree === 'joliet') bytes.write('%/E', 88, 'latin1');
  bothEnds16(bytes, 120, 1);
  bothEnds16(bytes, 124, 1);
  bothEnds16(bytes, 128, sectorBytes);
  bothEnds32(bytes, 132, pathTableBytes);
  bytes.writeUInt32LE(pathTables[tree].little, 140);
  bytes.writeUInt32BE(pathTables[tree].big, 148);
  entry(Buffer.from([0]), folders[tree], sectorBytes, 'folder').copy(bytes, 156);
  for (const at of [813, 830, 847, 864]) bytes.write('0'.repeat(16), at, 'latin1');
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

function folder(tree: Tree, files: readonly Placed[]): Buffer {
  const self = entry(Buffer.from([0]), folders[tree], sectorBytes, 'folder');
  const parent = entry(Buffer.from([1]), folders[tree], sectorBytes, 'folder');
  const sorted = files.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return Buffer.concat([
    self,
    parent,
    ...sorted.map(({ name, bytes, sector }) =>
      entry(named(tree, `${tree === 'primary' ? name.toUpperCase() : name};1`), sector, bytes.length, 'file'),
    ),
  ]);
}

function entry(name: Buffer, sector: number, length: number, kind: 'folder' | 'file'): Buffer {
  const bytes = Buffer.alloc(33 + name.length + ((name.length + 1) % 2));
  bytes.writeUInt8(bytes.length, 0);
  bothEnds32(bytes, 2, sector);
  bothEnds32(bytes, 10, length);
  // The year 2000: what is made for a system shall not tell when, so that the same seed is the same bytes.
  bytes.set([100, 1, 1, 0, 0, 0, 0], 18);
  bytes.writeUInt8(kind === 'folder' ? 2 : 0, 25);
  bothEnds16(bytes, 28, 1);
  bytes.writeUInt8(name.length, 32);
  name.copy(bytes, 33);
  return bytes;
}

function named(tree: Tree, text: string): Buffer {
  return tree === 'primary' ? Buffer.from(text, 'latin1') : Buffer.from(text, 'utf16le').swap16();
}

function bothEnds16(bytes: Buffer, at: number, value: number): void {
  bytes.writeUInt16LE(value, at);
  bytes.writeUInt16BE(value, at + 2);
}

function bothEnds32(bytes: Buffer, at: number, value: number): void {
  bytes.writeUInt32LE(value, at);
  bytes.writeUInt32BE(value, at + 4);
}
