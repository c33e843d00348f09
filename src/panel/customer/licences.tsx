// Licences.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function LicencesPage(): JSX.Element {
  return <Page title="Licences">{null}</Page>;
}
