// Customers.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function CustomersPage(): JSX.Element {
  return <Page title="Customers">{null}</Page>;
}
