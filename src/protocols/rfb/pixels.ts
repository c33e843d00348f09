// Pixel formats of RFB. Colours are 0xRRGGBB here, and only true colour is supported.
import { RfbError } from './error.ts';

export interface PixelFormat {
  readonly bitsPerPixel: 8 | 16 | 32;
  readonly byteOrder: 'big' | 'little';
  readonly red: Channel;
  readonly green: Channel;
  readonly blue: Channel;
}
interface Channel {
  readonly max: number;
  readonly shift: number;
}

export const pixelFormatBytes = 16;
const depth = 24;

/** What most clients request. */
export const defaultPixelFormat: PixelFormat = {
  bitsPerPixel: 32,
  byteOrder: 'little',
  red: { max: 255, shift: 16 },
  green: { max: 255, shift: 8 },
  blue: { max: 255, shift: 0 },
};

export function encodePixelFormat({ bitsPerPixel, byteOrder, red, green, blue }: PixelFormat): Buffer {
  const bytes = Buffer.alloc(pixelFormatBytes);
  bytes[0] = bitsPerPixel;
  bytes[1] = Math.min(depth, bitsPerPixel);
  bytes[2] = byteOrder === 'big' ? 1 : 0;
  bytes[3] = 1;
  for (const [index, { max, shift }] of [red, green, blue].entries()) {
    bytes.writeUInt16BE(max, 4 + 2 * index);
    bytes[10 + index] = shift;
  }
  return bytes;
}

export function decodePixelFormat(bytes: Buffer): PixelFormat {
  const bitsPerPixel = bytes[0];
  if (bitsPerPixel !== 8 && bitsPerPixel !== 16 && bitsPerPixel !== 32)
    throw new RfbError('protocol', `unsupported bits per pixel: ${bitsPerPixel}`);
  if (bytes[3] === 0) throw new RfbError('protocol', 'colour maps are not supported');
  const channel = (index: number): Channel => {
    const shift = bytes[10 + index]!;
    if (shift >= bitsPerPixel) throw new RfbError('protocol', 'a colour shift exceeds the pixel');
    return { max: bytes.readUInt16BE(4 + 2 * index), shift };
  };
  return {
    bitsPerPixel,
    byteOrder: bytes[2] === 0 ? 'little' : 'big',
    red: channel(0),
    green: channel(1),
    blue: channel(2),
  };
}

export function encodePixels(colours: Uint32Array, format: PixelFormat): Buffer {
  const width = format.bitsPerPixel / 8;
  const bytes = Buffer.alloc(colours.length * width);
  const pixelByColour = new Map<number, number>();
  for (const [index, colour] of colours.entries()) {
    let pixel = pixelByColour.get(colour);
    if (pixel === undefined) pixelByColour.set(colour, (pixel = toPixel(colour, format)));
    if (format.byteOrder === 'big') bytes.writeUIntBE(pixel, index * width, width);
    else bytes.writeUIntLE(pixel, index * width, width);
  }
  return bytes;
}

function toPixel(colour: number, { bitsPerPixel, red, green, blue }: PixelFormat): number {
  const part = (value: number, { max, shift }: Channel): number => Math.round((value * max) / 255) * 2 ** shift;
  const sum = part(colour >>> 16, red) + part((colour >>> 8) & 255, green) + part(colour & 255, blue);
  return sum % 2 ** bitsPerPixel;
}
