// Everything that a run bills, in the order of the lines on the invoice.
import { addressCharges } from './addresses.ts';
import { bandwidthCharges } from './bandwidth.ts';
import type { Billable } from './charges.ts';
import { hostingCharges } from './hosting.ts';
import { licenceCharges } from './licences.ts';

export const billables: readonly Billable[] = [hostingCharges, licenceCharges, addressCharges, bandwidthCharges];
