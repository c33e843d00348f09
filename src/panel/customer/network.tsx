// Network events.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function NetworkPage(): JSX.Element {
  return <Page title="Network events">{null}</Page>;
}
