// Converts SVG to PNG, off the event loop. The renderer's own PNG encoder runs on the event loop and is slower than a
// chart's few colours require, so the pixels are encoded here.
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
/** 8 bits per channel, RGB. */
const pngColourType = [8, 2, 0, 0, 0];
const deflateLevel = 3;

/** The SVG must be opaque everywhere. */
export async function svgToPng(svg: string): Promise<Buffer> {
  // Imported with the first chart: it is large, and many processes never draw one.
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(svg, { font: { loadSystemFonts: false } });
  const { width, height, pixels } = image;
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const data = await promisify(deflate)(scanLines(pixels, width, height), { level: deflateLevel });
  const header = Buffer.concat([size, Buffer.from(pngColourType)]);
  return Buffer.concat([pngSignature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** Each line starts with its filter type, none: flat colours deflate well without one. */
function scanLines(rgba: Buffer, width: number, height: number): Buffer {
  const lines = Buffer.alloc(height * (1 + width * 3));
  for (let line = 0, from = 0, to = 0; line < height; line++) {
    to++;
    for (let column = 0; column < width; column++, from += 4, to += 3) {
      lines[to] = rgba[from]!;
      lines[to + 1] = rgba[from + 1]!;
      lines[to + 2] = rgba[from + 2]!;
    }
  }
  return lines;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
