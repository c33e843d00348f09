// IP addresses and their reverse DNS names as a table.
import type { AddressNames } from '#sdk/v2.ts';
import type { Printer } from './printer.ts';
import { tableText } from './table.ts';

/** The API returns this text for an address without a name. */
const noRecord = 'No Record Found';

export function addressText(names: AddressNames, print: Printer): string {
  const rows = Object.entries(names).map(([address, name]) => ({ address, name: name === noRecord ? '' : name }));
  return tableText(rows, ['address', 'name'], print);
}
