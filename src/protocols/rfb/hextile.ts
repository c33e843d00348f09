// The hextile encoding of RFB (RFC 6143, section 7.7.4): tiles of 16 × 16 pixels. A tile of one or two colours, as text
// has, is a background with rectangles on it.
import { encodePixels, type PixelFormat } from './pixels.ts';

const tileSize = 16;
const flags = { raw: 1, background: 2, foreground: 4, rectangles: 8 } as const;

export function encodeHextile(colours: Uint32Array, width: number, format: PixelFormat): Buffer {
  const height = colours.length / width;
  const parts: Uint8Array[] = [];
  const pixel = (colour: number): Buffer => encodePixels(Uint32Array.of(colour), format);
  let background: number | undefined;
  let foreground: number | undefined;
  for (let top = 0; top < height; top += tileSize) {
    for (let left = 0; left < width; left += tileSize) {
      const tile = { left, top, width: Math.min(tileSize, width - left), height: Math.min(tileSize, height - top) };
      const pixels = tilePixels(colours, width, tile);
      const first = pixels[0]!;
      const second = pixels.find((colour) => colour !== first);
      if (pixels.some((colour) => colour !== first && colour !== second)) {
        parts.push(Buffer.from([flags.raw]), encodePixels(pixels, format));
        // Colours do not carry over from a raw tile.
        background = foreground = undefined;
        continue;
      }
      const isNewBackground = first !== background;
      const isNewForeground = second !== undefined && second !== foreground;
      const flag =
        (isNewBackground ? flags.background : 0) |
        (isNewForeground ? flags.foreground : 0) |
        (second === undefined ? 0 : flags.rectangles);
      parts.push(Buffer.from([flag]));
      if (isNewBackground) parts.push(pixel((background = first)));
      if (isNewForeground) parts.push(pixel((foreground = second)));
      if (second !== undefined) parts.push(runsOf(pixels, tile.width, second));
    }
  }
  return Buffer.concat(parts);
}

function tilePixels(
  colours: Uint32Array,
  width: number,
  tile: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
): Uint32Array {
  const pixels = new Uint32Array(tile.width * tile.height);
  for (let y = 0; y < tile.height; y++) {
    const from = (tile.top + y) * width + tile.left;
    pixels.set(colours.subarray(from, from + tile.width), y * tile.width);
  }
  return pixels;
}

/** The horizontal runs of a colour, of which a tile has at most 128, after their number. */
function runsOf(pixels: Uint32Array, width: number, colour: number): Uint8Array {
  const runs: number[] = [];
  for (let at = 0; at < pixels.length; at++) {
    if (pixels[at] !== colour) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    let length = 1;
    while (x + length < width && pixels[at + length] === colour) length++;
    runs.push((x << 4) | y, (length - 1) << 4);
    at += length - 1;
  }
  return Uint8Array.from([runs.length / 2, ...runs]);
}
