// Encodes and decodes FRU inventories: names and numbers of chassis, board and product. Areas that do not fit or have a
// wrong checksum are skipped, because a partial inventory is more useful than an error.

import { checksum } from './checksum.ts';
import { decodePackedText, encodePackedText, endOfFields } from './packed-text.ts';

export interface FruChassis {
  type: number;
  partNumber: string;
  serial: string;
}

export interface FruBoard {
  /** Minutes since 1996-01-01 00:00 UTC; 0 is unspecified. */
  manufacturedMinutes: number;
  manufacturer: string;
  product: string;
  serial: string;
  partNumber: string;
}

export interface FruProduct {
  manufacturer: string;
  product: string;
  partNumber: string;
  version: string;
  serial: string;
  assetTag: string;
}

export interface FruInventory {
  chassis?: FruChassis;
  board?: FruBoard;
  product?: FruProduct;
}

const headerBytes = 8;
const english = 25;

function encodeArea(head: readonly number[], fields: readonly string[]): Buffer {
  const body = Buffer.concat([
    Buffer.from([0x01, 0, ...head]),
    ...fields.map(encodePackedText),
    Buffer.from([endOfFields]),
  ]);
  const area = Buffer.alloc(Math.ceil((body.length + 1) / 8) * 8);
  area.set(body);
  area[1] = area.length / 8;
  area[area.length - 1] = checksum(area, 0, area.length - 1);
  return area;
}

export function encodeFru(inventory: FruInventory): Buffer {
  const { chassis, board, product } = inventory;
  const areas = [
    undefined,
    chassis && encodeArea([chassis.type], [chassis.partNumber, chassis.serial]),
    board &&
      encodeArea(
        [
          english,
          board.manufacturedMinutes & 0xff,
          (board.manufacturedMinutes >> 8) & 0xff,
          (board.manufacturedMinutes >> 16) & 0xff,
        ],
        [board.manufacturer, board.product, board.serial, board.partNumber, ''],
      ),
    product &&
      encodeArea(
        [english],
        [
          product.manufacturer,
          product.product,
          product.partNumber,
          product.version,
          product.serial,
          product.assetTag,
          '',
        ],
      ),
  ];
  const header = Buffer.alloc(headerBytes);
  header[0] = 0x01;
  let offset = headerBytes;
  for (const [index, area] of areas.entries()) {
    if (area === undefined) continue;
    header[index + 1] = offset / 8;
    offset += area.length;
  }
  header[headerBytes - 1] = checksum(header, 0, headerBytes - 1);
  return Buffer.concat([header, ...areas.filter((area) => area !== undefined)]);
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

function decodeFields(area: Buffer, offset: number): string[] {
  const fields: string[] = [];
  let at = offset;
  for (let field = decodePackedText(area, at); field !== undefined; field = decodePackedText(area, at)) {
    fields.push(field.text);
    at = field.end;
  }
  return fields;
}

export function decodeFru(bytes: Buffer): FruInventory | undefined {
  if (bytes.length < headerBytes || (bytes.readUInt8(0) & 0x0f) !== 0x01) return undefined;
  if (checksum(bytes, 0, headerBytes) !== 0) return undefined;
  const inventory: FruInventory = {};
  const chassis = areaAt(bytes, 2);
  if (chassis !== undefined) {
    const [partNumber = '', serial = ''] = decodeFields(chassis, 3);
    inventory.chassis = { type: chassis.readUInt8(2), partNumber, serial };
  }
  const board = areaAt(bytes, 3);
  if (board !== undefined) {
    const [manufacturer = '', product = '', serial = '', partNumber = ''] = decodeFields(board, 6);
    inventory.board = { manufacturedMinutes: board.readUIntLE(3, 3), manufacturer, product, serial, partNumber };
  }
  const product = areaAt(bytes, 4);
  if (product !== undefined) {
    const [manufacturer = '', name = '', partNumber = '', version = '', serial = '', assetTag = ''] = decodeFields(
      product,
      3,
    );
    inventory.product = { manufacturer, product: name, partNumber, version, serial, assetTag };
  }
  return inventory;
}
