// Fonts for characters that the invoice font lacks, such as Chinese, Hebrew or Arabic: a text is set in the system font
// that has all of its characters. Characters that no font has are printed as question marks and reported to the caller,
// never as boxes.
import { existsSync } from 'node:fs';
import type PDFKit from 'pdfkit';

type Page = InstanceType<typeof PDFKit>;

/**
 * Paths of the Debian packages fonts-dejavu-core, fonts-droid-fallback and fonts-noto-*; for a collection also the
 * member's name.
 */
const systemFonts: readonly { readonly file: string; readonly member?: string }[] = [
  { file: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf' },
  { file: '/usr/share/fonts/truetype/noto/NotoSansHebrew-Regular.ttf' },
  { file: '/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf' },
  { file: '/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf' },
  { file: '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', member: 'NotoSansCJKsc-Regular' },
  { file: '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf' },
];

export interface Typesetter {
  /**
   * Returns the font with the most characters of the text, preferably the given one, and the text as it can be shown
   * in it.
   */
  set(text: string, preferred: string): { readonly font: string; readonly text: string; readonly features?: [] };
  /** Characters that no font has. */
  readonly missing: ReadonlySet<string>;
}

export function createTypesetter(pdf: Page): Typesetter {
  const missing = new Set<string>();
  let fallbackFonts: string[] | undefined;
  const missingLetters = (font: string, text: string): string[] => {
    pdf.font(font);
    // PDFKit does not expose which characters a font has, and draws boxes for the fallbackFonts.
    const { hasGlyphForCodePoint } = currentFont(pdf);
    return [...text].filter((letter) => !isInvisible(letter) && !hasGlyphForCodePoint(letter.codePointAt(0)!));
  };
  return {
    missing,
    set(text, preferred) {
      if (missingLetters(preferred, text).length === 0) return { font: preferred, text };
      fallbackFonts ??= registerSystemFonts(pdf);
      const candidates = [preferred, ...fallbackFonts].map((font) => ({ font, letters: missingLetters(font, text) }));
      const { font, letters } = candidates.reduce((best, candidate) =>
        candidate.letters.length < best.letters.length ? candidate : best,
      );
      for (const letter of letters) missing.add(letter);
      const printable = [...text].map((letter) => (letters.includes(letter) ? '?' : letter)).join('');
      // With features set, even to none, PDFKit lays out a line as a whole, which keeps the word order of right-to-left
      // text.
      const isRightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(printable);
      return { font, text: printable, ...(isRightToLeft && { features: [] }) };
    },
  };
}

function currentFont(pdf: Page): { hasGlyphForCodePoint(codePoint: number): boolean } {
  const { font } = (pdf as Page & { _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } } })._font;
  return { hasGlyphForCodePoint: (codePoint) => font.hasGlyphForCodePoint(codePoint) };
}

/** Line breaks, and characters that only join or modify their neighbours. */
function isInvisible(letter: string): boolean {
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
