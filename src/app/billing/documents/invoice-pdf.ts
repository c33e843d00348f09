// Renders an invoice as PDF for people. The machine-readable invoice (Factur-X) is embedded, if there is one.
import { dayMs, dayNumberText } from '#lib/time.ts';
import { moneyText } from '#lib/money.ts';
import { partyAddress, type InvoiceDocument } from './invoice-document.ts';
import { facturXMetadata, facturXName } from './factur-x-metadata.ts';
import {
  drawFooters,
  drawHeading,
  drawRule,
  drawText,
  foot,
  grey,
  ink,
  left,
  makeRoom,
  measureHeight,
  millimetre,
  missingNotes,
  renderPdf,
  right,
  top,
  type Page,
  type RenderedPdf,
  type TextStyle,
} from './pdf-page.ts';

const serviceColumn = { x: right - 55 * millimetre, width: 20 * millimetre };
const amountColumn = { x: right - 30 * millimetre, width: 30 * millimetre };

/** `embeddedXml` is the Cross Industry Invoice to embed. */
export async function renderInvoicePdf(
  document: InvoiceDocument,
  embeddedXml: string | undefined,
): Promise<RenderedPdf> {
  const title = document.kind === 'invoice' ? 'Invoice' : 'Credit note';
  const issued = new Date(document.day * dayMs);
  return renderPdf(`${title} ${document.number}`, issued, (pdf) => {
    let y = drawHeader(pdf, document, title);
    y = drawLines(pdf, document, y);
    y = drawTotals(pdf, document, y);
    drawClosing(pdf, document, y);
    drawFooters(pdf, document.seller, document.number);
    if (embeddedXml === undefined) return;
    const attachment = { name: facturXName, type: 'text/xml', description: 'EN 16931 invoice' };
    const details = { relationship: 'Alternative', creationDate: issued, modifiedDate: issued };
    pdf.file(Buffer.from(embeddedXml), { ...attachment, ...details });
    (pdf as Page & { appendXML(xml: string): void }).appendXML(facturXMetadata);
  });
}

function drawHeader(pdf: Page, document: InvoiceDocument, title: string): number {
  const headingEnd = drawHeading(pdf, document.seller.name, title, document.number);
  const block = Math.max(50 * millimetre, headingEnd + 5 * millimetre);
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

function drawInColumn(pdf: Page, text: string, column: typeof amountColumn, y: number, style: TextStyle = {}): void {
  drawText(pdf, text, column.x, y, { width: column.width, align: 'right', ...style });
}

function drawColumnNames(pdf: Page, y: number): number {
  const small = { size: 8, colour: grey };
  drawText(pdf, 'Description', left, y, small);
  drawInColumn(pdf, 'Service', serviceColumn, y, small);
  drawInColumn(pdf, 'Amount', amountColumn, y, small);
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
      y = drawColumnNames(pdf, top);
    }
    drawText(pdf, line.description, left, y, { width: descriptionWidth });
    drawInColumn(pdf, String(line.service ?? ''), serviceColumn, y, { colour: grey });
    const mark = line.tax !== undefined || line.isTaxed || !hasTax(document) ? '' : ' *';
    drawInColumn(pdf, amountText(document, line.cents) + mark, amountColumn, y);
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

const categoryNames = { AE: 'reverse charge', G: 'export', E: 'exempt' } as const;

/** Returns the names and amounts of the taxes: by category and rate if the tax is decided per line. */
function taxRows(document: InvoiceDocument): [string, string][] {
  const { taxes, subtotals } = document;
  const amount = (cents: number): string => amountText(document, cents);
  if (subtotals.length > 0)
    return subtotals.map(({ category, rate, baseCents, taxCents }) => {
      const name = category === 'S' ? `${moneyText(rate)}%` : `0% (${categoryNames[category]})`;
      return [`VAT ${name} on ${amount(baseCents)}`, amount(taxCents)];
    });
  return taxes
    .filter(({ rate, cents }) => rate > 0 || cents !== 0)
    .map(({ rate, cents }) => [`Tax ${moneyText(rate)}%`, amount(cents)]);
}

function drawTotals(pdf: Page, document: InvoiceDocument, start: number): number {
  const amount = (cents: number): string => amountText(document, cents);
  const rows: [string, string][] = [
    ['Subtotal', amount(document.subtotalCents)],
    ...taxRows(document),
    ...(document.creditCents === 0 ? [] : [['Credit used', amount(-document.creditCents)] as [string, string]]),
  ];
  let y = makeRoom(pdf, start + 3, (rows.length + 2) * 17);
  const middle = left + 90 * millimetre;
  const half = right - middle;
  for (const [name, value] of rows) {
    drawText(pdf, name, middle, y, { colour: grey });
    y = drawText(pdf, value, middle, y, { width: half, align: 'right' }) + 4;
  }
  pdf.moveTo(middle, y).lineTo(right, y).lineWidth(0.8).strokeColor(ink).stroke();
  y += 6;
  const bold = { face: 'bold', size: 11 } as const;
  drawText(pdf, document.kind === 'invoice' ? 'Total due' : 'Total', middle, y, bold);
  const end = drawText(pdf, amount(document.totalCents), middle, y, { ...bold, width: half, align: 'right' });
  return end + 8 * millimetre;
}

function drawClosing(pdf: Page, document: InvoiceDocument, start: number): void {
  const { seller } = document;
  const isPartlyUntaxed = hasTax(document) && document.subtotals.length === 0;
  const texts = [
    ...(isPartlyUntaxed && document.lines.some((line) => !line.isTaxed) ? ['* Not subject to tax.'] : []),
    ...document.subtotals.map(({ reason }) => reason).filter((reason) => reason !== ''),
    ...exchangeTexts(document),
    ...(document.kind === 'invoice' && document.totalCents > 0
      ? [`Please pay by ${dayNumberText(document.dueDay)} and use the number ${document.number} as the reference.`]
      : []),
    ...(document.notes === '' ? [] : [document.notes]),
    ...missingNotes(pdf),
  ];
  let y = start;
  for (const text of texts) {
    y = makeRoom(pdf, y, measureHeight(pdf, text, right - left));
    y = drawText(pdf, text, left, y, { colour: text.startsWith('*') ? grey : ink }) + 6;
  }
  if (seller.iban !== '' && document.kind === 'invoice')
    drawText(pdf, `IBAN ${seller.iban}`, left, y, { face: 'bold' });
}

/** The tax in the seller's own currency, which is not part of the sum. */
function exchangeTexts({ exchange, currency }: InvoiceDocument): string[] {
  if (exchange === undefined) return [];
  const { currency: own, tax_cents, rate, rate_day } = exchange;
  const source = `1 ${own} = ${rate} ${currency.code} on ${dayNumberText(rate_day)}`;
  return [`VAT in ${own}: ${moneyText(tax_cents)} (${source}).`];
}
