// Requests.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function RequestsPage(): JSX.Element {
  return <Page title="Requests">{null}</Page>;
}
