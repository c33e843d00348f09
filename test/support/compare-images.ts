// Compares images in the browser that wrote them, which decodes every format. Two images differ if more than a few
// blocks of pixels differ clearly, or slightly in the middle of an area that does, as the shade of a card would. Scattered
// blocks may differ slightly: the edges of letters depend on the processor, and vary a little on the same one.
import type { Page } from 'playwright-core';

/** Pixels in each direction. */
const blockSize = 8;
/** Of 255, as the mean of a block. */
const differences = { slight: 3, clear: 10 };
const maxBlocks = 4;

export interface Comparison {
  readonly isEqual: boolean;
  readonly differingBlocks: number;
  /** The new image with its differing blocks in red, as a data URL. */
  readonly difference: string;
}

export async function compareImages(page: Page, before: Buffer, after: Buffer): Promise<Comparison> {
  if (before.equals(after)) return { isEqual: true, differingBlocks: 0, difference: '' };
  const { blocks, difference } = await page.evaluate<{ blocks: readonly Block[]; difference: string }>(
    `(${compareInPage})(${JSON.stringify({
      images: [before, after].map((image) => `data:image/webp;base64,${image.toString('base64')}`),
      blockSize,
      least: differences.slight,
    })})`,
  );
  const wrong = blocks.filter(({ mean, isSurrounded }) => isSurrounded || mean > differences.clear);
  return { isEqual: wrong.length <= maxBlocks, differingBlocks: blocks.length, difference };
}

interface Block {
  readonly mean: number;
  /** By others that differ, on all four sides. */
  readonly isSurrounded: boolean;
}

/** Returns the blocks that differ by more than the least. */
const compareInPage = `async ({ images, blockSize, least }) => {
  const [before, after] = await Promise.all(images.map(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  }));
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const draw = (image) => {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height).data;
  };
  const [left, right] = [draw(before), draw(after)];
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  context.drawImage(after, 0, 0);
  context.fillStyle = 'rgba(255, 0, 0, 0.5)';
  const columns = Math.ceil(width / blockSize);
  const means = new Map();
  for (let top = 0; top < height; top += blockSize)
    for (let start = 0; start < width; start += blockSize) {
      let sum = 0;
      for (let y = top; y < Math.min(top + blockSize, height); y++)
        for (let x = start; x < Math.min(start + blockSize, width); x++) {
          const at = (y * width + x) * 4;
          for (let channel = 0; channel < 4; channel++) sum += Math.abs(left[at + channel] - right[at + channel]);
        }
      const mean = sum / (blockSize * blockSize * 3);
      if (mean <= least) continue;
      means.set((top / blockSize) * columns + start / blockSize, mean);
      context.fillRect(start, top, blockSize, blockSize);
    }
  const blocks = [...means].map(([at, mean]) => ({
    mean,
    isSurrounded: [-columns, -1, 1, columns].every((step) => means.has(at + step)),
  }));
  return { blocks, difference: canvas.toDataURL('image/webp', 0.8) };
}`;
