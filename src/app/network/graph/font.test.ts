import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Resvg } from '@resvg/resvg-js';
import { fontFile } from '#lib/fonts.ts';
import { truncateToFit, label } from './label.ts';

const font = { fontFiles: [fontFile('regular')], loadSystemFonts: false };
const pixels = (content: string) => {
  const paper = '<rect width="400" height="60" fill="#fff"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="60">${paper}${content}</svg>`;
  return new Resvg(svg, { font }).render().pixels;
};

describe('labels', () => {
  it("look like the renderer's own text in the same font", () => {
    for (const character of '0123456789Mbit/sÄÖÜäöüéèñçßЖукΩμ–()…@#%gpqy') {
      const labelPixels = pixels(label(10, 40, character, { colour: '#000', size: 36 }));
      const textPixels = pixels(`<text x="10" y="40" font-size="36" font-family="IBM Plex Sans">${character}</text>`);
      let [different, inked] = [0, 0];
      for (let at = 0; at < textPixels.length; at += 4) {
        if (Math.abs(textPixels[at]! - labelPixels[at]!) > 64) different++;
        if (textPixels[at]! < 128) inked++;
      }
      assert.ok(inked > 20, `${character}: nothing was drawn`);
      assert.ok(different < 5, `${character}: ${different} of ${inked} pixels differ`);
    }
  });

  it("are spaced like the renderer's own text", () => {
    const right = (content: string) => {
      const image = pixels(content);
      return Math.max(...Array.from({ length: 400 * 60 }, (_, at) => (image[at * 4]! < 128 ? at % 400 : 0)));
    };
    const text = '<text x="10" y="40" font-size="24" font-family="IBM Plex Sans">0123456789 Mbit/s</text>';
    assert.ok(Math.abs(right(label(10, 40, '0123456789 Mbit/s', { colour: '#000', size: 24 })) - right(text)) <= 1);
  });

  it('show an empty box for missing glyphs', () => {
    assert.match(
      label(0, 0, '漢😀\u0000', { colour: '#000' }),
      /^<path transform="[^"]+" fill="#000" d="M0 0m[^"]+"\/>$/,
    );
  });

  it('are truncated to fit', () => {
    assert.equal(truncateToFit('short', { width: 200, size: 12 }), 'short');
    const cut = truncateToFit('a rather long name of a port', { width: 80, size: 12 });
    assert.match(cut, /^a rather.*…$/);
  });
});
