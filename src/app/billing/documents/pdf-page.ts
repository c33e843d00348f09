// Draws the provider's documents for people as PDF pages, with the bundled font: invoices and certificates look alike. They are
// PDF/A-3, an archive format that can embed files.
import { readFile } from 'node:fs/promises';
import type PDFKit from 'pdfkit';
import { fontFile } from '#lib/fonts.ts';
import { createTypesetter, type Typesetter } from './invoice-fonts.ts';
import { partyAddress, type Seller } from './invoice-document.ts';

export type Page = InstanceType<typeof PDFKit> & { readonly setter: Typesetter };

export const millimetre = 72 / 25.4;
const page = { width: 210 * millimetre, height: 297 * millimetre };
export const left = 22 * millimetre;
export const right = page.width - left;
export const top = 20 * millimetre;
export const foot = page.height - 26 * millimetre;
export const ink = '#1b2430';
export const grey = '#5c6775';
const faint = '#d5dae1';
const accent = '#0b5cad';

export interface TextStyle {
  readonly face?: 'regular' | 'bold';
  readonly size?: number;
  readonly colour?: string;
  readonly width?: number;
  readonly align?: 'left' | 'right';
}

export interface RenderedPdf {
  readonly bytes: Buffer;
  /** Characters that no font has: each is printed as a question mark, and a line below says so. */
  readonly missing: readonly string[];
}

/** Returns what `draw` draws. The same document at the same time is always the same file. */
export async function renderPdf(title: string, at: Date, draw: (pdf: Page) => void): Promise<RenderedPdf> {
  const [{ default: PDFDocument }, regular, bold] = await Promise.all([
    import('pdfkit'),
    readFile(fontFile('regular')),
    readFile(fontFile('semibold')),
  ]);
  const blank = new PDFDocument({
    size: [page.width, page.height],
    margin: 0,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    // PDFKit's default font is not embedded, which PDF/A forbids. Another default would be parsed again for every text.
    font: '',
    info: { Title: escapeXml(title), CreationDate: at, ModDate: at },
  });
  const pdf: Page = Object.assign(blank, { setter: createTypesetter(blank) });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject));
  pdf.registerFont('regular', regular).registerFont('bold', bold);
  draw(pdf);
  pdf.end();
  await ended;
  return { bytes: Buffer.concat(chunks), missing: [...pdf.setter.missing] };
}

/** PDFKit writes the title into XML unescaped. */
function escapeXml(text: string): string {
  return text.replace(/[<>&]/g, ' ');
}

/** Draws text and returns where it ends. */
export function drawText(pdf: Page, text: string, x: number, y: number, style: TextStyle = {}): number {
  const { face = 'regular', size = 9.5, colour = ink, width = right - x, align = 'left' } = style;
  const { font, text: printable, features } = pdf.setter.set(text, face);
  pdf.font(font).fontSize(size).fillColor(colour);
  const options = { width, align, lineGap: 1.5, ...(features && { features }) } as const;
  const height = pdf.heightOfString(printable, options);
  pdf.text(printable, x, y, options);
  return y + height;
}

export function measureHeight(pdf: Page, text: string, width: number): number {
  const { font, text: printable } = pdf.setter.set(text, 'regular');
  return pdf.font(font).fontSize(9.5).heightOfString(printable, { width, lineGap: 1.5 });
}

export function drawRule(pdf: Page, y: number, colour = faint, weight = 0.6): void {
  pdf.moveTo(left, y).lineTo(right, y).lineWidth(weight).strokeColor(colour).stroke();
}

/** Draws the provider's name, the title and the number, and returns where they end. */
export function drawHeading(pdf: Page, provider: string, title: string, number: string): number {
  const rightColumn = left + 95 * millimetre;
  const nameStyle = { face: 'bold', size: 17, colour: accent, width: 90 * millimetre } as const;
  const nameEnd = drawText(pdf, provider, left, top, nameStyle);
  drawText(pdf, title, rightColumn, top, { face: 'bold', size: 17, align: 'right' });
  const numberEnd = drawText(pdf, number, rightColumn, top + 22, { size: 11, colour: grey, align: 'right' });
  return Math.max(nameEnd, numberEnd);
}

/** Returns where text of this height can start: here, or at the top of a new page. */
export function makeRoom(pdf: Page, y: number, height: number): number {
  if (y + height <= foot) return y;
  pdf.addPage();
  return top;
}

/** Keeps a number on the same line as its label. */
function keepOnLine(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

/** Draws the footer of every page: the seller and the page number. */
export function drawFooters(pdf: Page, seller: Seller, number: string): void {
  const { start, count } = pdf.bufferedPageRange();
  const parts = [
    seller.name,
    ...partyAddress(seller),
    seller.vatNumber === '' ? '' : keepOnLine(`VAT ${seller.vatNumber}`),
    keepOnLine(seller.registration),
    seller.email,
  ].filter((word) => word !== '');
  for (let index = start; index < start + count; index++) {
    pdf.switchToPage(index);
    drawRule(pdf, foot + 6 * millimetre);
    const y = foot + 8.5 * millimetre;
    const small = { size: 7.5, colour: grey } as const;
    drawText(pdf, parts.join(' · '), left, y, { ...small, width: right - left - 40 * millimetre });
    const place = `${number} · page ${index - start + 1} of ${count}`;
    drawText(pdf, place, right - 38 * millimetre, y, { ...small, width: 38 * millimetre, align: 'right' });
  }
}

/** Explains question marks, if some had to be printed. */
export function missingNotes(pdf: Page): string[] {
  return pdf.setter.missing.size === 0 ? [] : ['Some characters could not be printed and are shown as question marks.'];
}
