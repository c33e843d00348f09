// DNS.
import type { JSX } from 'react';
import { Page } from '../../parts/page.tsx';

export function ZonesPage(): JSX.Element {
  return <Page title="DNS">{null}</Page>;
}
