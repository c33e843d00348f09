// Compares images in the browser that wrote them, which decodes every format. Two images differ if more than a few
// blocks of pixels differ clearly, or more than a hundred slightly, as the shade of a card would: single pixels at the
// edges of letters may, because the browser does not place each letter exactly the same.
import type { Page } from 'playwright-core';

/** Pixels in each direction. */
const blockSize = 8;
/** Of 255, as the mean of a block, and in how many blocks it may be. */
const clear = { difference: 10, maxBlocks: 4 };
// The letters of a page with much text have been seen to differ in 63; the smallest card has several hundred.
const slight = { difference: 3, maxBlocks: 120 };

export interface Comparison {
  readonly isEqual: boolean;
  readonly differingBlocks: number;
  /** The new image with its differing blocks in red, as a data URL. */
  readonly difference: string;
}

export async function compareImages(page: Page, before: Buffer, after: Buffer): Promise<Comparison> {
  if (before.equals(after)) return { isEqual: true, differingBlocks: 0, difference: '' };
  const { means, difference } = await page.evaluate<{ means: readonly number[]; difference: string }>(
    `(${compareInPage})(${JSON.stringify({
      images: [before, after].map((image) => `data:image/webp;base64,${image.toString('base64')}`),
      blockSize,
      least: slight.difference,
    })})`,
  );
  const isWithin = (limit: typeof clear): boolean =>
    means.filter((mean) => mean > limit.difference).length <= limit.maxBlocks;
  return { isEqual: isWithin(clear) && isWithin(slight), differingBlocks: means.length, difference };
}

/** Returns the mean differences of the blocks that differ by more than the least. */
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
  const means = [];
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
      means.push(mean);
      context.fillRect(start, top, blockSize, blockSize);
    }
  return { means, difference: canvas.toDataURL('image/webp', 0.8) };
}`;
