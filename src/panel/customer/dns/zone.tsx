// Zone.
import type { JSX } from 'react';
import { Page } from '../../parts/page.tsx';

export function ZonePage(): JSX.Element {
  return <Page title="Zone">{null}</Page>;
}
