// The VAT breakdown of a document, as EN 16931 computes it: the tax of each category and rate from the sum of its lines,
// rounded once (BR-CO-17), and the tax of the document from those sums (BR-CO-14). Countries with the same rate are
// separate, because the tax is due to each of them.
import { moneyShare } from '#lib/money.ts';
import type { TaxDecision } from './rules.ts';

export interface TaxSubtotal extends TaxDecision {
  readonly baseCents: number;
  readonly taxCents: number;
}

interface TaxedLine {
  readonly cents: number;
  readonly tax: TaxDecision;
}

/** Returns true if both belong to the same entry of a breakdown. */
export function isSameTax(left: TaxDecision | undefined, right: TaxDecision | undefined): boolean {
  return left?.category === right?.category && left?.rate === right?.rate && left?.country === right?.country;
}

/** Returns one entry for each category, rate and country, in the order of the lines. */
export function taxSubtotals(lines: readonly TaxedLine[]): TaxSubtotal[] {
  const groups = Map.groupBy(lines, ({ tax }) => `${tax.category} ${tax.rate} ${tax.country}`);
  return [...groups.values()].map((group) => {
    const { tax } = group[0]!;
    const baseCents = group.reduce((sum, { cents }) => sum + cents, 0);
    const reasons = new Set(group.map((line) => line.tax.reason));
    const codes = new Set(group.map((line) => line.tax.reasonCode));
    return {
      ...tax,
      reason: [...reasons].join('; '),
      reasonCode: codes.size === 1 ? tax.reasonCode : '',
      baseCents,
      taxCents: moneyShare(baseCents, tax.rate),
    };
  });
}
