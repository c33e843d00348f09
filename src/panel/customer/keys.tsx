// API keys.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function KeysPage(): JSX.Element {
  return <Page title="API keys">{null}</Page>;
}
