// Renders an account statement as PDF.
import { moneyText } from '#lib/money.ts';
import { dayMs, dayNumberText, dayText } from '#lib/time.ts';
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
  renderPdf,
  right,
  top,
  type Page,
  type RenderedPdf,
} from '../documents/pdf-page.ts';
import { partyAddress, type Buyer, type Seller } from '../documents/invoice-document.ts';
import type { StatementSums } from './build.ts';

export interface StatementDocument extends StatementSums {
  readonly account: number;
  readonly currency: string;
  readonly seller: Seller;
  readonly buyer: Buyer;
  /** The first and the last day, since 1970. */
  readonly fromDay: number;
  readonly lastDay: number;
  readonly openingCents: number;
}

const statementKinds: Readonly<Record<string, string>> = {
  opening: 'Imported',
  invoice: 'Invoice',
  payment: 'Payment',
  credit: 'Credit',
  refund: 'Refund',
};

const columns = {
  date: { x: left, width: 24 * millimetre, align: 'left' },
  text: { x: left + 26 * millimetre, width: 76 * millimetre, align: 'left' },
  amount: { x: right - 62 * millimetre, width: 30 * millimetre, align: 'right' },
  balance: { x: right - 30 * millimetre, width: 30 * millimetre, align: 'right' },
} as const;
const rowGap = 5;

export function renderStatementPdf(statement: StatementDocument): Promise<RenderedPdf> {
  const { account, buyer, seller, currency, fromDay, lastDay } = statement;
  const span = `${dayNumberText(fromDay)} to ${dayNumberText(lastDay)}`;
  return renderPdf(`Account statement ${span}`, new Date((lastDay + 1) * dayMs), (pdf) => {
    const block = Math.max(50 * millimetre, drawHeading(pdf, seller.name, 'Account statement', span) + 5 * millimetre);
    let y = drawText(pdf, buyer.name, left, block, { face: 'bold', width: 85 * millimetre });
    for (const line of partyAddress(buyer)) y = drawText(pdf, line, left, y, { width: 85 * millimetre });
    y = drawText(pdf, `Customer ${account}. All amounts in ${currency}.`, left, y + 8, { colour: grey }) + 8;
    y = drawNames(pdf, y);
    y = drawRow(pdf, y, ['', 'Opening balance', '', moneyText(statement.openingCents)]);
    for (const { at, kind, reference, cents, balanceCents } of statement.lines) {
      const text = [statementKinds[kind] ?? kind, reference].filter((part) => part !== '').join(' ');
      y = drawRow(pdf, y, [dayText(at), text, moneyText(cents), moneyText(balanceCents)]);
    }
    y = makeRoom(pdf, y + 3, 60);
    for (const [name, cents] of [
      ['Charged', statement.chargedCents],
      ['Paid and credited', statement.settledCents],
      ['Closing balance', statement.closingCents],
    ] as const) {
      const style = name === 'Closing balance' ? ({ face: 'bold' } as const) : { colour: grey };
      drawText(pdf, name, columns.text.x, y, style);
      y = drawText(pdf, moneyText(cents), columns.balance.x, y, { ...columns.balance, ...style }) + 4;
    }
    drawFooters(pdf, seller, `Statement ${span}`);
  });
}

function drawNames(pdf: Page, y: number): number {
  const small = { size: 8, colour: grey };
  for (const [name, column] of [
    ['Date', columns.date],
    ['Description', columns.text],
    ['Amount', columns.amount],
    ['Balance', columns.balance],
  ] as const)
    drawText(pdf, name, column.x, y, { ...small, width: column.width, align: column.align });
  drawRule(pdf, y + 14, ink, 0.8);
  return y + 20;
}

function drawRow(pdf: Page, start: number, [date, text, amount, balance]: [string, string, string, string]): number {
  const height = measureHeight(pdf, text, columns.text.width);
  let y = start;
  if (y + height > foot) {
    pdf.addPage();
    y = drawNames(pdf, top);
  }
  for (const [value, column] of [
    [date, columns.date],
    [text, columns.text],
    [amount, columns.amount],
    [balance, columns.balance],
  ] as const)
    if (value !== '') drawText(pdf, value, column.x, y, { width: column.width, align: column.align });
  drawRule(pdf, y + height + rowGap);
  return y + height + 2 * rowGap;
}
