// Letters that the font of invoices has not, such as those of China, Israel or Egypt: a font of the system that has all of a
// text's letters is used for that text. What no font has is shown as a question mark and named to the caller, never as a box.
import { existsSync } from 'node:fs';
import type PDFKit from 'pdfkit';

type Page = InstanceType<typeof PDFKit>;

/** Where Debian's packages fonts-dejavu-core, fonts-droid-fallback and fonts-noto-* put them; a collection's member by its name. */
const systemFonts: readonly { readonly file: string; readonly member?: string }[] = [
  { file: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf' },
  { file: '/usr/share/fonts/truetype/noto/NotoSansHebrew-Regular.ttf' },
  { file: '/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf' },
  { file: '/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf' },
  { file: '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', member: 'NotoSansCJKsc-Regular' },
  { file: '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf' },
];

export interface Typesetter {
  /** The font that has most of the text's letters, the wished one first, and the text as it can be shown in it. */
  set(text: string, wished: string): { readonly font: string; readonly text: string; readonly features?: [] };
  /** Letters that were set and that no font has. */
  readonly missing: ReadonlySet<string>;
}

export function typesetter(pdf: Page): Typesetter {
  const missing = new Set<string>();
  let others: string[] | undefined;
  const lettersWithout = (font: string, text: string): string[] => {
    pdf.font(font);
    // The library keeps to itself which letters a font has, and draws a box for the others.
    const { hasGlyphForCodePoint } = boundGlyphs(pdf);
    return [...text].filter((letter) => !isUnseen(letter) && !hasGlyphForCodePoint(letter.codePointAt(0)!));
  };
  return {
    missing,
    set(text, wished) {
      if (lettersWithout(wished, text).length === 0) return { font: wished, text };
      others ??= registerSystemFonts(pdf);
      const lacking = [wished, ...others].map((font) => ({ font, letters: lettersWithout(font, text) }));
      const { font, letters } = lacking.reduce((best, each) =>
        each.letters.length < best.letters.length ? each : best,
      );
      for (const letter of letters) missing.add(letter);
      const shown = [...text].map((letter) => (letters.includes(letter) ? '?' : letter)).join('');
      // Given features, were they none, the library sets a line as a whole: words that are read from the right keep their order.
      return { font, text: shown, ...(/[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(shown) ? { features: [] } : {}) };
    },
  };
}

function boundGlyphs(pdf: Page): { hasGlyphForCodePoint(codePoint: number): boolean } {
  const { font } = (pdf as Page & { _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } } })._font;
  return { hasGlyphForCodePoint: (codePoint) => font.hasGlyphForCodePoint(codePoint) };
}

/** Line ends, and what only joins or marks its neighbours. */
function isUnseen(letter: string): boolean {
  return /[\p{Control}\p{Default_Ignorable_Code_Point}]/u.test(letter);
}

function registerSystemFonts(pdf: Page): string[] {
  return systemFonts
    .filter(({ file }) => existsSync(file))
    .map(({ file, member }) => {
      pdf.registerFont(file, file, member);
      return file;
    });
}
