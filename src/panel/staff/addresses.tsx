// Address plan.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function AddressesPage(): JSX.Element {
  return <Page title="Address plan">{null}</Page>;
}
