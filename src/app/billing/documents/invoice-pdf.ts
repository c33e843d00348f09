// Renders an invoice as PDF for people, with the bundled font. It is PDF/A-3, an archive format that can embed files:
// the machine-readable invoice (Factur-X) is embedded, if there is one.
import { readFileSync } from 'node:fs';
import type PDFKit from 'pdfkit';
import { dayNumberText } from '#lib/time.ts';
import { fontFile } from '#lib/fonts.ts';
import { moneyText } from '#lib/money.ts';
import { partyAddress, type InvoiceDocument } from './invoice-document.ts';
import { facturXMetadata, facturXName } from './factur-x-metadata.ts';
import { createTypesetter, type Typesetter } from './invoice-fonts.ts';

type Page = InstanceType<typeof PDFKit> & { readonly setter: Typesetter };

const millimetre = 72 / 25.4;
const page = { width: 210 * millimetre, height: 297 * millimetre };
const left = 22 * millimetre;
const right = page.width - left;
const foot = page.height - 26 * millimetre;
const ink = '#1b2430';
const grey = '#5c6775';
const faint = '#d5dae1';
const accent = '#0b5cad';

const faces = { regular: 'regular', bold: 'semibold' } as const;
const dayMs = 86_400_000;

interface TextStyle {
  readonly face?: keyof typeof faces;
  readonly size?: number;
  readonly colour?: string;
  readonly width?: number;
  readonly align?: 'left' | 'right';
}

export interface RenderedInvoice {
  readonly bytes: Buffer;
  /** Characters that no font has: each is printed as a question mark, and a line below says so. */
  readonly missing: readonly string[];
}

/** `embeddedXml` is the Cross Industry Invoice to embed. */
export async function renderInvoicePdf(
  document: InvoiceDocument,
  embeddedXml: string | undefined,
): Promise<RenderedInvoice> {
  const { default: PDFDocument } = await import('pdfkit');
  const title = document.kind === 'invoice' ? 'Invoice' : 'Credit note';
  const issued = new Date(document.day * dayMs);
  const blank = new PDFDocument({
    size: [page.width, page.height],
    margin: 0,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    // PDFKit's default font is not embedded, which PDF/A forbids; its types allow only file names here.
    font: readFont('regular') as unknown as string,
    info: { Title: escapeXml(`${title} ${document.number}`), CreationDate: issued, ModDate: issued },
  });
  const pdf: Page = Object.assign(blank, { setter: createTypesetter(blank) });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject));
  for (const face of Object.keys(faces) as (keyof typeof faces)[]) pdf.registerFont(face, readFont(face));

  let y = drawHeader(pdf, document, title);
  y = drawLines(pdf, document, y);
  y = drawTotals(pdf, document, y);
  drawClosing(pdf, document, y);
  drawFooters(pdf, document);
  if (embeddedXml !== undefined) {
    const attachment = {
      name: facturXName,
      type: 'text/xml',
      relationship: 'Alternative',
      description: 'EN 16931 invoice',
    };
    pdf.file(Buffer.from(embeddedXml), { ...attachment, creationDate: issued, modifiedDate: issued });
    (blank as typeof blank & { appendXML(xml: string): void }).appendXML(facturXMetadata);
  }
  pdf.end();
  await ended;
  return { bytes: Buffer.concat(chunks), missing: [...pdf.setter.missing] };
}

function readFont(face: keyof typeof faces): Buffer {
  return readFileSync(fontFile(faces[face]));
}

/** PDFKit writes the title into XML unescaped. */
function escapeXml(text: string): string {
  return text.replace(/[<>&]/g, ' ');
}

/** Draws text and returns where it ends. */
function drawText(pdf: Page, text: string, x: number, y: number, style: TextStyle = {}): number {
  const { face = 'regular', size = 9.5, colour = ink, width = right - x, align = 'left' } = style;
  const { font, text: printable, features } = pdf.setter.set(text, face);
  pdf.font(font).fontSize(size).fillColor(colour);
  const options = { width, align, lineGap: 1.5, ...(features && { features }) } as const;
  const height = pdf.heightOfString(printable, options);
  pdf.text(printable, x, y, options);
  return y + height;
}

function measureHeight(pdf: Page, text: string, width: number): number {
  const { font, text: printable } = pdf.setter.set(text, 'regular');
  return pdf.font(font).fontSize(9.5).heightOfString(printable, { width, lineGap: 1.5 });
}

function drawRule(pdf: Page, y: number, colour = faint, weight = 0.6): void {
  pdf.moveTo(left, y).lineTo(right, y).lineWidth(weight).strokeColor(colour).stroke();
}

function drawHeader(pdf: Page, document: InvoiceDocument, title: string): number {
  const top = 20 * millimetre;
  const rightColumn = left + 95 * millimetre;
  const titleStyle = { face: 'bold', size: 17, colour: accent, width: 90 * millimetre } as const;
  const nameEnd = drawText(pdf, document.seller.name, left, top, titleStyle);
  drawText(pdf, title, rightColumn, top, { face: 'bold', size: 17, align: 'right' });
  const numberEnd = drawText(pdf, document.number, rightColumn, top + 22, { size: 11, colour: grey, align: 'right' });

  const block = Math.max(50 * millimetre, Math.max(nameEnd, numberEnd) + 5 * millimetre);
  drawText(pdf, 'Billed to', left, block, { size: 8, colour: grey });
  let y = drawText(pdf, document.buyer.name, left, block + 13, { face: 'bold', width: 85 * millimetre });
  for (const line of partyAddress(document.buyer)) y = drawText(pdf, line, left, y, { width: 85 * millimetre });
  if (document.buyer.vatNumber !== '') y = drawText(pdf, `VAT ${document.buyer.vatNumber}`, left, y);

  const facts: [string, string][] = [
    ['Date', dayNumberText(document.day)],
    ...(document.kind === 'invoice' ? [['Due', dayNumberText(document.dueDay)] as [string, string]] : []),
    ...(document.corrects === undefined ? [] : [['Corrects', document.corrects] as [string, string]]),
    ['Customer', String(document.account)],
    ['Currency', document.currency.code],
  ];
  const middle = left + 105 * millimetre;
  let factsY = block;
  for (const [name, value] of facts) {
    drawText(pdf, name, middle, factsY, { colour: grey });
    factsY = drawText(pdf, value, left, factsY, { width: right - left, align: 'right' }) + 1.5;
  }
  return Math.max(y, factsY, 84 * millimetre) + 8 * millimetre;
}

function drawColumnNames(pdf: Page, y: number): number {
  drawText(pdf, 'Description', left, y, { size: 8, colour: grey });
  drawText(pdf, 'Service', right - 55 * millimetre, y, {
    size: 8,
    colour: grey,
    width: 20 * millimetre,
    align: 'right',
  });
  drawText(pdf, 'Amount', right - 30 * millimetre, y, {
    size: 8,
    colour: grey,
    width: 30 * millimetre,
    align: 'right',
  });
  drawRule(pdf, y + 14, ink, 0.8);
  return y + 20;
}

function drawLines(pdf: Page, document: InvoiceDocument, start: number): number {
  let y = drawColumnNames(pdf, start);
  const descriptionWidth = right - left - 60 * millimetre;
  for (const line of document.lines) {
    const height = measureHeight(pdf, line.description, descriptionWidth);
    if (y + height > foot) {
      pdf.addPage();
      y = drawColumnNames(pdf, 20 * millimetre);
    }
    drawText(pdf, line.description, left, y, { width: descriptionWidth });
    const amount = amountText(document, line.cents) + (line.isTaxed || !hasTax(document) ? '' : ' *');
    drawText(pdf, line.service === undefined ? '' : String(line.service), right - 55 * millimetre, y, {
      width: 20 * millimetre,
      align: 'right',
      colour: grey,
    });
    drawText(pdf, amount, right - 30 * millimetre, y, { width: 30 * millimetre, align: 'right' });
    y += height + 5;
    drawRule(pdf, y);
    y += 5;
  }
  return y;
}

/** Puts the sign before the currency. Prefix and suffix mean the same, so one of them is enough. */
function amountText({ currency }: InvoiceDocument, cents: number): string {
  const digits = moneyText(Math.abs(cents));
  return (cents < 0 ? '-' : '') + (currency.prefix === '' ? `${digits}${currency.suffix}` : currency.prefix + digits);
}

function hasTax({ taxes }: InvoiceDocument): boolean {
  return taxes.some(({ rate }) => rate > 0);
}

function drawTotals(pdf: Page, document: InvoiceDocument, start: number): number {
  const { taxes } = document;
  const amount = (cents: number): string => amountText(document, cents);
  const rows: [string, string][] = [
    ['Subtotal', amount(document.subtotalCents)],
    ...taxes
      .filter(({ rate, cents }) => rate > 0 || cents !== 0)
      .map(({ rate, cents }): [string, string] => [`Tax ${moneyText(rate)}%`, amount(cents)]),
    ...(document.creditCents === 0 ? [] : [['Credit used', amount(-document.creditCents)] as [string, string]]),
  ];
  let y = start + 3;
  if (y + (rows.length + 2) * 17 > foot) {
    pdf.addPage();
    y = 20 * millimetre;
  }
  const middle = left + 90 * millimetre;
  const half = right - middle;
  for (const [name, value] of rows) {
    drawText(pdf, name, middle, y, { colour: grey });
    y = drawText(pdf, value, middle, y, { width: half, align: 'right' }) + 4;
  }
  pdf.moveTo(middle, y).lineTo(right, y).lineWidth(0.8).strokeColor(ink).stroke();
  y += 6;
  drawText(pdf, document.kind === 'invoice' ? 'Total due' : 'Total', middle, y, { face: 'bold', size: 11 });
  return (
    drawText(pdf, amount(document.totalCents), middle, y, { face: 'bold', size: 11, width: half, align: 'right' }) +
    8 * millimetre
  );
}

function drawClosing(pdf: Page, document: InvoiceDocument, start: number): void {
  const { seller } = document;
  const texts = [
    ...(hasTax(document) && document.lines.some((line) => !line.isTaxed) ? ['* Not subject to tax.'] : []),
    ...(document.kind === 'invoice' && document.totalCents > 0 ? [paymentText(document)] : []),
    ...(document.notes === '' ? [] : [document.notes]),
    ...(pdf.setter.missing.size === 0 ? [] : [missingNote]),
  ];
  let y = start;
  for (const text of texts) {
    if (y + measureHeight(pdf, text, right - left) > foot) {
      pdf.addPage();
      y = 20 * millimetre;
    }
    y = drawText(pdf, text, left, y, { colour: text.startsWith('*') ? grey : ink }) + 6;
  }
  if (seller.iban !== '' && document.kind === 'invoice')
    drawText(pdf, `IBAN ${seller.iban}`, left, y, { face: 'bold' });
}

const missingNote = 'Some characters could not be printed and are shown as question marks.';

function paymentText({ number, dueDay }: InvoiceDocument): string {
  return `Please pay by ${dayNumberText(dueDay)} and give the number ${number} as the reference.`;
}

/** Keeps a number on the same line as its label. */
function keepOnLine(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

/** Draws the footer of every page: the seller and the page number. */
function drawFooters(pdf: Page, { seller, number }: InvoiceDocument): void {
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
