// Invoices.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function InvoicesPage(): JSX.Element {
  return <Page title="Invoices">{null}</Page>;
}
