// Charges for traffic above the commitment, in arrears, by the measured 95th percentile. Rates are billed to a
// hundredth of a Mbit/s.
import { moneyPart, moneyText } from '#lib/money.ts';
import { createCaps, prorationText, spanText, termTitle, type BillContext, type ChargesOfKind } from './charges.ts';

const fingerprintLength = 32;

export async function bandwidthCharges(context: BillContext): Promise<ChargesOfKind> {
  const { measured, terms, previous, services } = context;
  const limit = createCaps();
  const charges = measured.flatMap(({ term: id, from, until, bitsPerSecond, intervals, fingerprint }) => {
    const term = terms.find((candidate) => candidate.id === id);
    if (term === undefined || term.committed_mbits === null) return [];
    const rate = Math.round(bitsPerSecond / 10_000);
    const above = rate - term.committed_mbits * 100;
    const monthly = moneyPart(term.mbit_price_cents * above, 0, 1, 100);
    const whole = previous.until - previous.from;
    const uncapped = above <= 0 ? 0 : moneyPart(monthly, from - previous.from, until - previous.from, whole);
    const cents = limit(String(term.service_id), uncapped, term.mbit_cap_cents);
    if (cents === 0) return [];
    // Hundredths of a Mbit/s are formatted like cents.
    const measure = `95th percentile ${moneyText(rate)} Mbit/s of ${intervals} samples (${fingerprint.slice(0, fingerprintLength)})`;
    const price = `${moneyText(above)} above ${term.committed_mbits} at ${moneyText(term.mbit_price_cents)}`;
    const proration = prorationText(until - from, whole, monthly);
    return [
      {
        kind: 'Bandwidth' as const,
        subject: `term ${term.id}`,
        service: term.service_id,
        from,
        until,
        cents,
        description: `${termTitle(term, services)}, ${spanText(from, until)}: ${measure}, ${price}${proration}`,
      },
    ];
  });
  return { charges, continues: false };
}
