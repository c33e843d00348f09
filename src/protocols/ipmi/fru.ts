// Encodes and decodes FRU inventories: names and numbers of chassis, board and product. Areas that do not fit or have a
// wrong checksum are skipped, because a partial inventory is more useful than an error.
import { checksum } from './checksum.ts';
import { constant, layout, u24, u8, type Codec, type Decoded } from './codec.ts';
import { decodePackedText, encodePackedText, endOfFields } from './packed-text.ts';

const headerBytes = 8;
const english = 25;

/** What follows the format and length of each area: numbers, then texts. Areas are in the order of the header. */
const areas = {
  chassis: { head: layout(u8('type')), texts: ['partNumber', 'serial'], textsAt: 3, extraTexts: 0 },
  board: {
    // Minutes since 1996-01-01 00:00 UTC; 0 is unspecified.
    head: layout(constant(english), u24('manufacturedMinutes')),
    texts: ['manufacturer', 'product', 'serial', 'partNumber'],
    textsAt: 6,
    extraTexts: 1,
  },
  product: {
    head: layout(constant(english)),
    texts: ['manufacturer', 'product', 'partNumber', 'version', 'serial', 'assetTag'],
    textsAt: 3,
    extraTexts: 1,
  },
} as const;
type AreaName = keyof typeof areas;
const areaNames = Object.keys(areas) as AreaName[];
const firstAreaIndex = 2;

export type FruInventory = {
  [Name in AreaName]?: Decoded<(typeof areas)[Name]['head']> & Record<(typeof areas)[Name]['texts'][number], string>;
};

function encodeArea(name: AreaName, fields: Readonly<Record<string, string | number>>): Buffer {
  const { head, texts, extraTexts } = areas[name];
  const body = Buffer.concat([
    Buffer.from([0x01, 0]),
    (head as Codec<object>).encode(fields),
    ...texts.map((text) => encodePackedText(String(fields[text]))),
    ...Array.from({ length: extraTexts }, () => encodePackedText('')),
    Buffer.from([endOfFields]),
  ]);
  const area = Buffer.alloc(Math.ceil((body.length + 1) / 8) * 8);
  area.set(body);
  area[1] = area.length / 8;
  area[area.length - 1] = checksum(area, 0, area.length - 1);
  return area;
}

export function encodeFru(inventory: FruInventory): Buffer {
  const header = Buffer.alloc(headerBytes);
  const parts: Buffer[] = [header];
  header[0] = 0x01;
  let offset = headerBytes;
  for (const [index, name] of areaNames.entries()) {
    const fields = inventory[name];
    if (fields === undefined) continue;
    const area = encodeArea(name, fields);
    header[firstAreaIndex + index] = offset / 8;
    offset += area.length;
    parts.push(area);
  }
  header[headerBytes - 1] = checksum(header, 0, headerBytes - 1);
  return Buffer.concat(parts);
}

/** Returns the area at the offset in this header byte if its checksum is valid. */
function areaAt(bytes: Buffer, headerIndex: number): Buffer | undefined {
  const start = (bytes[headerIndex] ?? 0) * 8;
  if (start === 0) return undefined;
  const length = (bytes[start + 1] ?? 0) * 8;
  if (length === 0 || start + length > bytes.length) return undefined;
  const area = bytes.subarray(start, start + length);
  return checksum(area) === 0 ? area : undefined;
}

function decodeTexts(area: Buffer, offset: number): string[] {
  const texts: string[] = [];
  let at = offset;
  for (let field = decodePackedText(area, at); field !== undefined; field = decodePackedText(area, at)) {
    texts.push(field.text);
    at = field.end;
  }
  return texts;
}

export function decodeFru(bytes: Buffer): FruInventory | undefined {
  if (bytes.length < headerBytes || (bytes.readUInt8(0) & 0x0f) !== 0x01) return undefined;
  if (checksum(bytes, 0, headerBytes) !== 0) return undefined;
  const inventory: { [Name in AreaName]?: object } = {};
  for (const [index, name] of areaNames.entries()) {
    const area = areaAt(bytes, firstAreaIndex + index);
    if (area === undefined) continue;
    const { head, textsAt, texts } = areas[name];
    const values = decodeTexts(area, textsAt);
    const fields = texts.map((text, position) => [text, values[position] ?? '']);
    inventory[name] = { ...head.decode(area.subarray(2)), ...Object.fromEntries(fields) };
  }
  return inventory as FruInventory;
}
