import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { recognizeText } from '#test/support/screen-text.ts';
import { until } from '#test/support/until.ts';
import { cell, drawLine, plainLine } from './font.ts';
import { createKeyboard } from './keyboard.ts';
import { createTerminalScreen, type TerminalScreen } from './screen.ts';

function pictureOf(screen: TerminalScreen): Uint32Array {
  const colours = Array.from({ length: screen.bands }, (_, band) => [...screen.paint(band)]);
  return Uint32Array.from(colours.flat());
}
const ignore = (): void => {};

/** Output that changes nothing also becomes a frame. */
async function nextFrame(screen: TerminalScreen): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = screen.listen(resolve);
  await screen.write(Buffer.alloc(0));
  await promise;
  stop();
}

describe('the terminal screen', () => {
  it('shows what a program prints, where it prints it', async () => {
    using screen = await createTerminalScreen('vm-1', ignore);
    await screen.write(Buffer.from('one\r\ntwo\x1b[5;10Hfive\x1b[1;1HO'));
    assert.equal(recognizeText(pictureOf(screen), screen.width), 'One\ntwo\n\n\n         five');
    assert.deepEqual([screen.width, screen.bandHeight * screen.bands], [640, 384]);
    assert.equal(screen.text(), 'One\r\ntwo\r\n\r\n\r\n         five');
  });

  it('scrolls, and marks only the lines that changed', async () => {
    using screen = await createTerminalScreen('vm-1', ignore);
    await screen.write(Buffer.from(Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\r\n')));
    await until(() => /^line 6\n[^]*line 29$/.test(recognizeText(pictureOf(screen), screen.width)));
    const before = Array.from({ length: screen.bands }, (_, band) => screen.revision(band));
    await screen.write(Buffer.from('!'));
    await until(() => screen.revision(23) !== before[23]);
    assert.deepEqual(
      Array.from({ length: 23 }, (_, band) => screen.revision(band)),
      before.slice(0, 23),
    );
  });

  it('draws colours and the cursor, unless it is hidden', async () => {
    using screen = await createTerminalScreen('vm-1', ignore);
    const coloursAt = (column: number) => {
      const line = screen.paint(0);
      const left = column * cell.width;
      const points = Array.from({ length: cell.height }, (_, y) => [
        ...line.subarray(y * screen.width + left, y * screen.width + left + cell.width),
      ]);
      return new Set(points.flat());
    };
    await screen.write(Buffer.from('\x1b[1;31;44mA\x1b[0;7mB\x1b[0;38;2;1;2;3mC\x1b[38;5;196mD\x1b[38;5;255mE\x1b[0m'));
    await until(() => coloursAt(0).size === 2);
    assert.deepEqual(coloursAt(0), new Set([0x2a5fd5, 0xff0000]));
    assert.deepEqual(coloursAt(1), new Set([0xd0d0d0, 0x000000]));
    assert.deepEqual(coloursAt(2), new Set([0x000000, 0x010203]));
    assert.deepEqual(coloursAt(3), new Set([0x000000, 0xff0000]));
    assert.deepEqual(coloursAt(4), new Set([0x000000, 0xeeeeee]));
    assert.deepEqual(coloursAt(5), new Set([0xd0d0d0]), 'the cursor');
    await screen.write(Buffer.from('\x1b[?25l'));
    await until(() => coloursAt(5).has(0));
  });

  it('looks the same to a viewer who gets only what changed, whatever the output and its pieces', async () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 90 }),
      fc.constantFrom(
        '\r\n',
        '\x1b[2J',
        '\x1b[H',
        '\x1b[5;70H',
        '\x1b[3L',
        '\x1b[2M',
        '\x1b[4P',
        '\x1b[K',
        '\x1b[?25l',
      ),
      fc.constantFrom(
        '\x1b[?1049h',
        '\x1b[?1049l',
        '\x1b[2;9r',
        '\x1b[r',
        '\x1b[7;31m',
        '\x1b[0m',
        '\t',
        '\b',
        '\x1bc',
      ),
    );
    const property = fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
      using followed = await createTerminalScreen('vm-1', ignore);
      const seen = new Map<number, { revision: number; colours: Uint32Array }>();
      const follow = (): void => {
        for (let band = 0; band < followed.bands; band++) {
          const revision = followed.revision(band);
          if (seen.get(band)?.revision !== revision) seen.set(band, { revision, colours: followed.paint(band) });
        }
      };
      follow();
      followed.listen(follow);
      for (const output of pieces) await followed.write(Buffer.from(output));
      await nextFrame(followed);
      using redrawn = await createTerminalScreen('vm-1', ignore);
      await redrawn.write(Buffer.from(pieces.join('')));
      for (const [band, { colours }] of seen) assert.deepEqual(colours, redrawn.paint(band), `line ${band}`);
    });
    await fc.assert(property, { numRuns: 25 });
  });

  it('answers queries, and survives any output', async () => {
    let replies = '';
    using screen = await createTerminalScreen('vm-1', (reply) => (replies += reply));
    await screen.write(Buffer.from('ab\x1b[6n'));
    assert.equal(replies, '\x1b[1;3R');
    await screen.write(Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256)));
    await screen.write(Buffer.from('\x1bc漢字 \u{1f600}'));
    await until(() => recognizeText(pictureOf(screen), screen.width).startsWith('?'));
  });
});

describe('the font', () => {
  it('draws every letter differently, and boxes', () => {
    const letters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index));
    const drawn = new Set(
      [...letters, 'é', '─', '│', '█'].map((letter) => drawLine(plainLine(letter, 1, 1, 0)).join('')),
    );
    assert.equal(drawn.size, letters.length + 4);
  });
});

describe('the keyboard', () => {
  const [shift, control, alt] = [0xffe1, 0xffe3, 0xffe9];
  const press = (keys: readonly number[], isApplicationMode = false): string | undefined => {
    const keyboard = createKeyboard(() => isApplicationMode);
    let typed: string | undefined;
    for (const key of keys) typed = keyboard(key, 'down');
    return typed;
  };

  it('types characters of every kind', () => {
    const keys = [0x41, 0x7e, 0xe9, 0x0100_20ac, 0x20ac, 0xffb7, 0xff8d, 0xff0d, 0xff08, 0xff09, 0xff1b];
    assert.equal(keys.map((key) => press([key])).join(''), 'A~é€€7\r\r\x7f\t\x1b');
    assert.deepEqual([press([shift]), press([0xfe03]), press([0x0111_0000])], [undefined, undefined, undefined]);
  });

  it('types the letters of all alphabets for which noVNC does not send Unicode', async () => {
    const file = join(import.meta.dirname, '../../../node_modules/@novnc/novnc/core/input/keysymdef.js');
    const { default: noVnc } = (await import(file)) as { default: { lookup(codePoint: number): number } };
    const alphabets = [
      [0x0100, 0x0192],
      [0x0386, 0x0387],
      [0x0388, 0x0589],
      [0x05d0, 0x0700],
      [0x0e01, 0x0e5c],
    ] as const;
    const letters = alphabets.flatMap(([first, end]) => Array.from({ length: end - first }, (_, at) => first + at));
    const wrong = letters.filter((code) => press([noVnc.lookup(code)]) !== String.fromCodePoint(code));
    assert.deepEqual(
      wrong.map((code) => String.fromCodePoint(code)),
      [],
    );
    assert.equal([...'—–…™‘’“”‚„'].map((mark) => press([noVnc.lookup(mark.codePointAt(0)!)])).join(''), '—–…™‘’“”‚„');
    assert.deepEqual([press([0x06ff]), press([0x01ff]), press([0x0580])], ['Ъ', '˙', undefined]);
  });

  it('sends cursor and function keys as xterm does', () => {
    assert.deepEqual(
      [press([0xff52]), press([0xff52], true), press([control, 0xff53])],
      ['\x1b[A', '\x1bOA', '\x1b[1;5C'],
    );
    assert.deepEqual([press([0xffff]), press([0xff55]), press([shift, 0xff55])], ['\x1b[3~', '\x1b[5~', '\x1b[5;2~']);
    assert.deepEqual([press([0xffbe]), press([0xffc2]), press([0xffc9])], ['\x1bOP', '\x1b[15~', '\x1b[24~']);
    assert.deepEqual([press([shift, 0xff09]), press([0xfe20])], ['\x1b[Z', '\x1b[Z']);
  });

  it('combines keys with Ctrl and Alt while they are held', () => {
    assert.deepEqual([press([control, 0x63]), press([control, 0x5b]), press([control, 0x20])], ['\x03', '\x1b', '\0']);
    assert.deepEqual([press([alt, 0x78]), press([alt, control, 0x78])], ['\x1bx', '\x1b\x18']);
    const keyboard = createKeyboard(() => false);
    keyboard(control, 'down');
    keyboard(control, 'up');
    assert.deepEqual([keyboard(0x63, 'down'), keyboard(0x63, 'up')], ['c', undefined]);
  });
});
