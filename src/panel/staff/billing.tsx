// Billing run.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function BillingPage(): JSX.Element {
  return <Page title="Billing run">{null}</Page>;
}
