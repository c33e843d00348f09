// Addresses and their reverse names as a table.
import type { AddressNames } from '#sdk/v2.ts';
import type { Show } from './show.ts';
import { tableText } from './table.ts';

const noName = 'No Record Found';

export function addressText(names: AddressNames, show: Show): string {
  const rows = Object.entries(names).map(([address, name]) => ({ address, name: name === noName ? '' : name }));
  return tableText(rows, ['address', 'name'], show);
}
