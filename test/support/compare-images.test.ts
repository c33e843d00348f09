import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { launchChromium, needsChromium } from './chromium.ts';
import { compareImages, type Comparison } from './compare-images.ts';
import { suiteResources } from './suite-resources.ts';

describe('two images of a page', needsChromium(), () => {
  const owned = suiteResources();
  let page: Page;
  before(async () => {
    const browser = await launchChromium();
    owned.defer(() => browser.close());
    page = await browser.newPage({ viewport: { width: 400, height: 200 } });
  });

  async function draw(boxes: readonly string[]): Promise<Buffer> {
    const styles = boxes.map((box) => `<i style="position: absolute; ${box}"></i>`);
    await page.setContent(`<body style="background: #202020">${styles.join('')}`);
    const devtools = await page.context().newCDPSession(page);
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 75 });
    await devtools.detach();
    return Buffer.from(data, 'base64');
  }

  async function compareWithEmpty(boxes: readonly string[]): Promise<Comparison> {
    return compareImages(page, await draw([]), await draw(boxes));
  }

  const box = (left: number, top: number, width: number, height: number, colour: string): string =>
    `left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px; background: ${colour}`;

  it('are equal if the edges of letters differ, however many', async () => {
    const edges = Array.from({ length: 240 }, (_, index) =>
      box((index % 40) * 10, 10 + Math.floor(index / 40) * 30, 3, 12, '#303030'),
    );
    const { isEqual, differingBlocks } = await compareWithEmpty(edges);
    assert.deepEqual([isEqual, differingBlocks > 100], [true, true]);
  });

  it('differ if an area has another shade', async () => {
    assert.equal((await compareWithEmpty([box(40, 40, 48, 48, '#272727')])).isEqual, false);
  });

  it('differ if a button is elsewhere', async () => {
    assert.equal((await compareWithEmpty([box(40, 40, 24, 16, '#ffffff')])).isEqual, false);
  });
});
