// The lab's plans, taxes and billing policy. Sample invoices cover the first month, so the first billing run comes
// after it.
import type { Site } from '#contract/site/site.ts';
import { dayNumber, dayNumberText } from '#lib/time.ts';

const coveredDays = 30;

export const labBilling: Pick<Site, 'plans' | 'taxes' | 'billing'> = {
  plans: [
    {
      name: 'Dedicated E3',
      price: '89.00',
      cycle: 'monthly',
      changes: ['Dedicated E5'],
      bandwidth: { committed: 100, price: '1.00' },
      addresses: { included: 9, price: '2.00' },
    },
    {
      name: 'Dedicated E5',
      price: '129.00',
      cycle: 'monthly',
      bandwidth: { committed: 100, price: '1.00' },
      addresses: { included: 9, price: '2.00' },
    },
    {
      name: 'VPS small',
      price: '9.00',
      cycle: 'monthly',
      changes: ['Cloud 2'],
      addresses: { included: 1, price: '2.00' },
      machine: { vcpus: 1, memoryMb: 1024, diskGb: 20, bandwidthGb: 1000, addresses: '/32', order: true },
    },
    {
      name: 'Cloud 2',
      price: '15.00',
      cycle: 'monthly',
      addresses: { included: 1, price: '2.00' },
      machine: { vcpus: 2, memoryMb: 2048, diskGb: 40, bandwidthGb: 2000, addresses: '/32', order: true },
    },
  ],
  taxes: [
    { country: 'NL', rate: '21.00' },
    { country: 'FR', rate: '20.00' },
    { country: 'DE', rate: '19.00' },
    { country: 'CA', rate: '5.00', rate2: '9.98' },
  ],
  billing: { numbers: 'LAB-{year}-{00000}', terms: 14, reminders: [3, 10] },
};

export function labTerms(since: string, plan: string): { plan: string; start: string } {
  return { plan, start: dayNumberText(dayNumber(since)! + coveredDays) };
}
