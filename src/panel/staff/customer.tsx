// Customer.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function CustomerPage(): JSX.Element {
  return <Page title="Customer">{null}</Page>;
}
