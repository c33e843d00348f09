// Null-routes.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function NullroutesPage(): JSX.Element {
  return <Page title="Null-routes">{null}</Page>;
}
