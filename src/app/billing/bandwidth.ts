// Traffic above the commitment, in arrears, by the 95th percentile that was measured. Rates are billed to a hundredth of a Mbit/s.
import { moneyPart, moneyText } from '#kernel/money.ts';
import { partText, spanText, titleOf, type BillContext, type Charged } from './charges.ts';

const fingerprintShown = 32;

export async function bandwidthCharges(context: BillContext): Promise<Charged> {
  const { measured, terms, previous, services } = context;
  const charges = measured.flatMap(({ term: id, from, until, bitsPerSecond, intervals, fingerprint }) => {
    const term = terms.find((each) => each.id === id);
    if (term === undefined || term.committed_mbits === null) return [];
    const rate = Math.round(bitsPerSecond / 10_000);
    const above = rate - term.committed_mbits * 100;
    const monthly = moneyPart(term.mbit_price_cents * above, 0, 1, 100);
    const whole = previous.until - previous.from;
    const cents = above <= 0 ? 0 : moneyPart(monthly, from - previous.from, until - previous.from, whole);
    if (cents === 0) return [];
    // Hundredths of a Mbit/s are written like cents.
    const measure = `95th percentile ${moneyText(rate)} Mbit/s of ${intervals} samples (${fingerprint.slice(0, fingerprintShown)})`;
    const price = `${moneyText(above)} above ${term.committed_mbits} at ${moneyText(term.mbit_price_cents)}`;
    const part = partText(until - from, whole, monthly);
    return [
      {
        kind: 'Bandwidth' as const,
        subject: `term ${term.id}`,
        service: term.service_id,
        from,
        until,
        cents,
        description: `${titleOf(term, services)}, ${spanText(from, until)}: ${measure}, ${price}${part}`,
      },
    ];
  });
  return { charges, goesOn: false };
}
