// An invoice drawn as a PDF for people, with the font that comes along. It is PDF/A-3, the form for archives, which may carry
// a file: the invoice for machines (Factur-X) goes inside where there is one.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type PDFKit from 'pdfkit';
import { dayNumberText } from '#kernel/moments.ts';
import { moneyText } from '#kernel/money.ts';
import { partyAddress, type InvoiceDocument } from './invoice-document.ts';
import { facturXMetadata, facturXName } from './factur-x-metadata.ts';
import { typesetter, type Typesetter } from './invoice-fonts.ts';

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

const faces = { regular: '400Regular/IBMPlexSans_400Regular', bold: '600SemiBold/IBMPlexSans_600SemiBold' } as const;
const dayMs = 86_400_000;

interface TextStyle {
  readonly face?: keyof typeof faces;
  readonly size?: number;
  readonly colour?: string;
  readonly width?: number;
  readonly align?: 'left' | 'right';
}

export interface DrawnInvoice {
  readonly bytes: Buffer;
  /** Letters that no font here has: a question mark stands in the place of each, and a line below says so. */
  readonly missing: readonly string[];
}

/** `forMachines` is the Cross Industry Invoice to carry inside. */
export async function invoicePdf(document: InvoiceDocument, forMachines: string | undefined): Promise<DrawnInvoice> {
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
    // The library's own default is not embedded, which this form does not allow; its types know names of files only.
    font: fontFile('regular') as unknown as string,
    info: { Title: xmlSafe(`${title} ${document.number}`), CreationDate: issued, ModDate: issued },
  });
  const pdf: Page = Object.assign(blank, { setter: typesetter(blank) });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject));
  for (const face of Object.keys(faces) as (keyof typeof faces)[]) pdf.registerFont(face, fontFile(face));

  let y = head(pdf, document, title);
  y = table(pdf, document, y);
  y = totals(pdf, document, y);
  closing(pdf, document, y);
  feet(pdf, document);
  if (forMachines !== undefined) {
    const about = { name: facturXName, type: 'text/xml', relationship: 'Alternative', description: 'EN 16931 invoice' };
    pdf.file(Buffer.from(forMachines), { ...about, creationDate: issued, modifiedDate: issued });
    (blank as typeof blank & { appendXML(xml: string): void }).appendXML(facturXMetadata);
  }
  pdf.end();
  await ended;
  return { bytes: Buffer.concat(chunks), missing: [...pdf.setter.missing] };
}

function fontFile(face: keyof typeof faces): Buffer {
  const file = import.meta.resolve(`@expo-google-fonts/ibm-plex-sans/${faces[face]}.ttf`);
  return readFileSync(fileURLToPath(file));
}

/** The library writes the title into XML as it is. */
function xmlSafe(text: string): string {
  return text.replace(/[<>&]/g, ' ');
}

/** Draws text at a place and answers where it ends. */
function put(pdf: Page, text: string, x: number, y: number, style: TextStyle = {}): number {
  const { face = 'regular', size = 9.5, colour = ink, width = right - x, align = 'left' } = style;
  const { font, text: shown, features } = pdf.setter.set(text, face);
  pdf.font(font).fontSize(size).fillColor(colour);
  const options = { width, align, lineGap: 1.5, ...(features && { features }) } as const;
  const height = pdf.heightOfString(shown, options);
  pdf.text(shown, x, y, options);
  return y + height;
}

function heightOf(pdf: Page, text: string, width: number): number {
  const { font, text: shown } = pdf.setter.set(text, 'regular');
  return pdf.font(font).fontSize(9.5).heightOfString(shown, { width, lineGap: 1.5 });
}

function rule(pdf: Page, y: number, colour = faint, weight = 0.6): void {
  pdf.moveTo(left, y).lineTo(right, y).lineWidth(weight).strokeColor(colour).stroke();
}

function head(pdf: Page, document: InvoiceDocument, title: string): number {
  const top = 20 * millimetre;
  const beyond = left + 95 * millimetre;
  const named = { face: 'bold', size: 17, colour: accent, width: 90 * millimetre } as const;
  const nameEnd = put(pdf, document.seller.name, left, top, named);
  put(pdf, title, beyond, top, { face: 'bold', size: 17, align: 'right' });
  const numberEnd = put(pdf, document.number, beyond, top + 22, { size: 11, colour: grey, align: 'right' });

  const block = Math.max(50 * millimetre, Math.max(nameEnd, numberEnd) + 5 * millimetre);
  put(pdf, 'Billed to', left, block, { size: 8, colour: grey });
  let y = put(pdf, document.buyer.name, left, block + 13, { face: 'bold', width: 85 * millimetre });
  for (const line of partyAddress(document.buyer)) y = put(pdf, line, left, y, { width: 85 * millimetre });
  if (document.buyer.vatNumber !== '') y = put(pdf, `VAT ${document.buyer.vatNumber}`, left, y);

  const facts: [string, string][] = [
    ['Date', dayNumberText(document.day)],
    ...(document.kind === 'invoice' ? [['Due', dayNumberText(document.dueDay)] as [string, string]] : []),
    ...(document.corrects === undefined ? [] : [['Corrects', document.corrects] as [string, string]]),
    ['Customer', String(document.account)],
    ['Currency', document.currency.code],
  ];
  const middle = left + 105 * millimetre;
  let beside = block;
  for (const [name, value] of facts) {
    put(pdf, name, middle, beside, { colour: grey });
    beside = put(pdf, value, left, beside, { width: right - left, align: 'right' }) + 1.5;
  }
  return Math.max(y, beside, 84 * millimetre) + 8 * millimetre;
}

function columns(pdf: Page, y: number): number {
  put(pdf, 'Description', left, y, { size: 8, colour: grey });
  put(pdf, 'Service', right - 55 * millimetre, y, { size: 8, colour: grey, width: 20 * millimetre, align: 'right' });
  put(pdf, 'Amount', right - 30 * millimetre, y, { size: 8, colour: grey, width: 30 * millimetre, align: 'right' });
  rule(pdf, y + 14, ink, 0.8);
  return y + 20;
}

function table(pdf: Page, document: InvoiceDocument, start: number): number {
  let y = columns(pdf, start);
  const wide = right - left - 60 * millimetre;
  for (const line of document.lines) {
    const height = heightOf(pdf, line.description, wide);
    if (y + height > foot) {
      pdf.addPage();
      y = columns(pdf, 20 * millimetre);
    }
    put(pdf, line.description, left, y, { width: wide });
    const amount = amountText(document, line.cents) + (line.isTaxed || !isTaxedAtAll(document) ? '' : ' *');
    put(pdf, line.service === undefined ? '' : String(line.service), right - 55 * millimetre, y, {
      width: 20 * millimetre,
      align: 'right',
      colour: grey,
    });
    put(pdf, amount, right - 30 * millimetre, y, { width: 30 * millimetre, align: 'right' });
    y += height + 5;
    rule(pdf, y);
    y += 5;
  }
  return y;
}

/** With the sign in front of the currency's. Prefix and suffix say the same, so one of them is enough on paper. */
function amountText({ currency }: InvoiceDocument, cents: number): string {
  const digits = moneyText(Math.abs(cents));
  return (cents < 0 ? '-' : '') + (currency.prefix === '' ? `${digits}${currency.suffix}` : currency.prefix + digits);
}

function isTaxedAtAll({ taxes }: InvoiceDocument): boolean {
  return taxes.some(({ rate }) => rate > 0);
}

function totals(pdf: Page, document: InvoiceDocument, start: number): number {
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
    put(pdf, name, middle, y, { colour: grey });
    y = put(pdf, value, middle, y, { width: half, align: 'right' }) + 4;
  }
  pdf.moveTo(middle, y).lineTo(right, y).lineWidth(0.8).strokeColor(ink).stroke();
  y += 6;
  put(pdf, document.kind === 'invoice' ? 'Total due' : 'Total', middle, y, { face: 'bold', size: 11 });
  return (
    put(pdf, amount(document.totalCents), middle, y, { face: 'bold', size: 11, width: half, align: 'right' }) +
    8 * millimetre
  );
}

function closing(pdf: Page, document: InvoiceDocument, start: number): void {
  const { seller } = document;
  const texts = [
    ...(isTaxedAtAll(document) && document.lines.some((line) => !line.isTaxed) ? ['* Not subject to tax.'] : []),
    ...(document.kind === 'invoice' && document.totalCents > 0 ? [payment(document)] : []),
    ...(document.notes === '' ? [] : [document.notes]),
    ...(pdf.setter.missing.size === 0 ? [] : [missingNote]),
  ];
  let y = start;
  for (const text of texts) {
    if (y + heightOf(pdf, text, right - left) > foot) {
      pdf.addPage();
      y = 20 * millimetre;
    }
    y = put(pdf, text, left, y, { colour: text.startsWith('*') ? grey : ink }) + 6;
  }
  if (seller.iban !== '' && document.kind === 'invoice') put(pdf, `IBAN ${seller.iban}`, left, y, { face: 'bold' });
}

const missingNote = 'Some letters could not be printed: question marks stand for them.';

function payment({ number, dueDay }: InvoiceDocument): string {
  return `Please pay by ${dayNumberText(dueDay)} and give the number ${number} as the reference.`;
}

/** A number stays on the line of its name. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

/** Under every page: who bills, and which page it is. */
function feet(pdf: Page, { seller, number }: InvoiceDocument): void {
  const { start, count } = pdf.bufferedPageRange();
  const words = [
    seller.name,
    ...partyAddress(seller),
    seller.vatNumber === '' ? '' : unbroken(`VAT ${seller.vatNumber}`),
    unbroken(seller.registration),
    seller.email,
  ].filter((word) => word !== '');
  for (let index = start; index < start + count; index++) {
    pdf.switchToPage(index);
    rule(pdf, foot + 6 * millimetre);
    const y = foot + 8.5 * millimetre;
    const small = { size: 7.5, colour: grey } as const;
    put(pdf, words.join(' · '), left, y, { ...small, width: right - left - 40 * millimetre });
    const place = `${number} · page ${index - start + 1} of ${count}`;
    put(pdf, place, right - 38 * millimetre, y, { ...small, width: 38 * millimetre, align: 'right' });
  }
}
