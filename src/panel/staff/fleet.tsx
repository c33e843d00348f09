// Fleet.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function FleetPage(): JSX.Element {
  return <Page title="Fleet">{null}</Page>;
}
